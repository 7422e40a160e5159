// SPF policies (RFC 7208) as far as their cost goes: the terms that make a mail server ask DNS (section 4.6.4).
import { parseDomainName } from '../../dns/name.ts';
import type { OwnerKey } from '../record.ts';
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

/** @param textsAt the texts at an owner of the zone, for what the policy includes of it */
export function countSpfLookups(
  content: string,
  index: IndexedZone,
  textsAt: (owner: OwnerKey) => readonly string[],
): SpfLookups {
  let count = 0;
  let unknownTerm: string | undefined;
  const visit = (policy: string): void => {
    for (const text of policy.split(/ +/).slice(1)) {
      if (count >= MAX_COUNTED_LOOKUPS || text === '') continue;
      const { name, target, isModifier } = readTerm(text);
      if (isModifier ? name !== 'redirect' : COST.get(name) === 0) continue;
      if (!isModifier && !COST.has(name)) {
        unknownTerm ??= text;
        continue;
      }
      count++;
      const included = FOLLOWED.has(name) ? policyAt(target, index, textsAt) : undefined;
      if (included !== undefined) visit(included);
    }
  };
  visit(content);
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

function policyAt(
  target: string,
  index: IndexedZone,
  textsAt: (owner: OwnerKey) => readonly string[],
): string | undefined {
  const name = parseDomainName(target);
  const owner = name.ok ? index.ownerOf(name.value) : undefined;
  return owner === undefined ? undefined : textsAt(owner).find(isSpf);
}
