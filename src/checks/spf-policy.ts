// SPF policies (RFC 7208) as far as their cost goes: the terms that make a mail server ask DNS (section 4.6.4).
import { parseDomainName } from '../dns/name.ts';
import type { OwnerKey } from '../model/record.ts';
import type { IndexedZone } from './indexed-zone.ts';

/** RFC 7208 section 4.6.4. */
export const MAX_SPF_LOOKUPS = 10;

/** Of a policy that includes itself: enough to be over the limit. */
const MAX_COUNTED_LOOKUPS = 100;

export function isSpf(content: string): boolean {
  return /^v=spf1(?: |$)/i.test(content);
}

export interface SpfLookups {
  /** At least so many: what stands in other zones is not looked at. */
  readonly count: number;
  /** The first term that is neither a mechanism nor a modifier. */
  readonly unknownTerm: string | undefined;
}

/** A policy as far as its cost goes. */
export interface SpfPolicy {
  /** One a look-up, no more than are counted: the owner in the zone whose policy it goes on with, if any. */
  readonly lookups: readonly (OwnerKey | undefined)[];
  readonly unknownTerm: string | undefined;
}

export function readSpfPolicy(content: string, index: IndexedZone): SpfPolicy {
  const lookups: (OwnerKey | undefined)[] = [];
  let unknownTerm: string | undefined;
  for (const text of content.split(/ +/).slice(1)) {
    if (lookups.length >= MAX_COUNTED_LOOKUPS) break;
    if (text === '') continue;
    const { name, target, isModifier } = readTerm(text);
    if (isModifier ? name !== 'redirect' : COST.get(name) === 0) continue;
    if (!isModifier && !COST.has(name)) unknownTerm ??= text;
    else lookups.push(FOLLOWED.has(name) ? ownerOf(target, index) : undefined);
  }
  return { lookups, unknownTerm };
}

/** @param policyAt the policy at an owner of the zone, for what is included of it; asked many times */
export function countSpfLookups(
  policy: SpfPolicy,
  policyAt: (owner: OwnerKey) => SpfPolicy | undefined,
): SpfLookups {
  let count = 0;
  let { unknownTerm } = policy;
  const visit = ({ lookups }: SpfPolicy): void => {
    for (const owner of lookups) {
      if (count >= MAX_COUNTED_LOOKUPS) return;
      count++;
      const included = owner === undefined ? undefined : policyAt(owner);
      if (included === undefined) continue;
      unknownTerm ??= included.unknownTerm;
      visit(included);
    }
  };
  visit(policy);
  return { count, unknownTerm };
}

/** Mechanisms and the look-ups that each costs by itself. */
const COST: ReadonlyMap<string, 0 | 1> = new Map([
  ['all', 0],
  ['ip4', 0],
  ['ip6', 0],
  ['a', 1],
  ['mx', 1],
  ['ptr', 1],
  ['exists', 1],
  ['include', 1],
]);

const FOLLOWED: ReadonlySet<string> = new Set(['include', 'redirect']);

/** RFC 7208 section 4.6.1: `[qualifier]mechanism[:target][/prefix]` or `modifier=value`. */
function readTerm(text: string): { name: string; target: string; isModifier: boolean } {
  const [, name = text, mark = '', target = ''] = /^[+?~-]?([\w.-]*)([:/=]?)(.*)$/.exec(text) ?? [];
  return { name: name.toLowerCase(), target, isModifier: mark === '=' };
}

function ownerOf(target: string, index: IndexedZone): OwnerKey | undefined {
  const name = parseDomainName(target);
  return name.ok ? index.ownerOf(name.value) : undefined;
}
