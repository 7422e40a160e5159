// Reads the terms of SPF policies (RFC 7208) that cost mail servers a DNS lookup (section 4.6.4).
import { parseDomainName } from '../dns/name.ts';
import type { OwnerKey } from '../model/record.ts';
import type { IndexedZone } from './indexed-zone.ts';

/** RFC 7208 section 4.6.4. */
export const MAX_SPF_LOOKUPS = 10;

/** Ends the count for a policy that includes itself; well above the limit. */
const MAX_COUNTED_LOOKUPS = 100;

export function isSpf(content: string): boolean {
  return /^v=spf1(?: |$)/i.test(content);
}

interface SpfLookups {
  /** The minimum number of lookups: policies in other zones are not read. */
  readonly count: number;
  /** The first term that is neither a mechanism nor a modifier. */
  readonly unknownTerm: string | undefined;
}

/** The lookups that a policy needs. */
export interface SpfPolicy {
  /**
   * One item for each lookup, at most `MAX_COUNTED_LOOKUPS`: the owner in this zone whose policy is included, or undefined.
   */
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
    if (isModifier ? name !== 'redirect' : lookupCosts.get(name) === 0) continue;
    if (!isModifier && !lookupCosts.has(name)) unknownTerm ??= text;
    else lookups.push(followedTerms.has(name) ? ownerOf(target, index) : undefined);
  }
  return { lookups, unknownTerm };
}

/** @param policyAt returns the policy at an owner of the zone; called many times */
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

/** Mechanisms and the lookups that each one costs. */
const lookupCosts: ReadonlyMap<string, 0 | 1> = new Map([
  ['all', 0],
  ['ip4', 0],
  ['ip6', 0],
  ['a', 1],
  ['mx', 1],
  ['ptr', 1],
  ['exists', 1],
  ['include', 1],
]);

const followedTerms: ReadonlySet<string> = new Set(['include', 'redirect']);

/** RFC 7208 section 4.6.1: `[qualifier]mechanism[:target][/prefix]` or `modifier=value`. */
function readTerm(text: string): { name: string; target: string; isModifier: boolean } {
  const [, name = text, mark = '', target = ''] = /^[+?~-]?([\w.-]*)([:/=]?)(.*)$/.exec(text) ?? [];
  return { name: name.toLowerCase(), target, isModifier: mark === '=' };
}

function ownerOf(target: string, index: IndexedZone): OwnerKey | undefined {
  const name = parseDomainName(target);
  return name.ok ? index.ownerOf(name.value) : undefined;
}
