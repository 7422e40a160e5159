// Reads the terms of SPF policies (RFC 7208): those that cost mail servers a DNS lookup (section 4.6.4), and those that are
// wrong in themselves.
import { parseIpv4, parseIpv6 } from '../dns/ip-address.ts';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import { quoteText } from '../model/quote-text.ts';
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
  readonly problem: string | undefined;
}

/** A term that costs a lookup. */
export interface SpfLookup {
  readonly text: string;
  readonly kind: 'policy' | 'a' | 'mx' | 'other';
  /** The name that it looks up; undefined if that depends on the mail. */
  readonly name: DomainName | undefined;
  /** Its owner, if it is in this zone. */
  readonly owner: OwnerKey | undefined;
}

export interface SpfPolicy {
  /** At most `MAX_COUNTED_LOOKUPS`. */
  readonly lookups: readonly SpfLookup[];
  /** The first term that mail servers cannot read, and why; they ignore the whole policy then. */
  readonly problem: string | undefined;
  /** The term that allows every sender, as written. */
  readonly passAll: string | undefined;
}

/** @param owner of the policy; the terms `a` and `mx` alone mean it */
export function readSpfPolicy(content: string, index: IndexedZone, owner: OwnerKey): SpfPolicy {
  const lookups: SpfLookup[] = [];
  let problem: string | undefined;
  let passAll: string | undefined;
  for (const text of content.split(/ +/).slice(1)) {
    if (lookups.length >= MAX_COUNTED_LOOKUPS) break;
    if (text === '') continue;
    const term = readTerm(text);
    const { name, isModifier } = term;
    if (isModifier && name !== 'redirect') continue;
    problem ??= findTermProblem(term);
    if (name === 'all' && !isModifier) passAll ??= /^\+?all$/i.test(text) ? text : undefined;
    const kind = lookupKinds.get(name);
    if (kind !== undefined) lookups.push({ text, kind, ...findTarget(term, index, owner) });
  }
  return { lookups, problem, passAll };
}

/** @param policyAt returns the policy at an owner of the zone; called many times */
export function countSpfLookups(
  policy: SpfPolicy,
  policyAt: (owner: OwnerKey) => SpfPolicy | undefined,
): SpfLookups {
  let count = 0;
  let { problem } = policy;
  const visit = ({ lookups }: SpfPolicy): void => {
    for (const { kind, owner } of lookups) {
      if (count >= MAX_COUNTED_LOOKUPS) return;
      count++;
      const included = owner === undefined || kind !== 'policy' ? undefined : policyAt(owner);
      if (included === undefined) continue;
      problem ??= included.problem;
      visit(included);
    }
  };
  visit(policy);
  return { count, problem };
}

const lookupKinds: ReadonlyMap<string, SpfLookup['kind']> = new Map([
  ['a', 'a'],
  ['mx', 'mx'],
  ['ptr', 'other'],
  ['exists', 'other'],
  ['include', 'policy'],
  ['redirect', 'policy'],
]);

interface Term {
  readonly text: string;
  readonly name: string;
  readonly target: string;
  readonly isModifier: boolean;
}

/** RFC 7208 section 4.6.1: `[qualifier]mechanism[:target][/prefix]` or `modifier=value`. */
function readTerm(text: string): Term {
  const [, name = text, mark = '', rest = ''] = /^[+?~-]?([\w.-]*)([:/=]?)(.*)$/.exec(text) ?? [];
  return { text, name: name.toLowerCase(), target: mark === '/' ? '' : rest, isModifier: mark === '=' };
}

function findTermProblem({ text, name, target, isModifier }: Term): string | undefined {
  if (name === 'ip4' || name === 'ip6') {
    return isNetwork(name, target)
      ? undefined
      : `${quoteText(text)}, which is not an ${name === 'ip4' ? 'IPv4' : 'IPv6'} address or network (RFC 7208 section 5.6)`;
  }
  if (isModifier || name === 'all' || lookupKinds.has(name)) return undefined;
  return `${quoteText(text)}, which is not a mechanism (RFC 7208 section 5)`;
}

function isNetwork(kind: 'ip4' | 'ip6', target: string): boolean {
  const [, address = '', , length = '0'] = /^([^/]*)(\/(\d{1,3}))?$/.exec(target) ?? [];
  const parsedAddress = kind === 'ip4' ? parseIpv4(address) : parseIpv6(address);
  return parsedAddress.ok && Number(length) <= (kind === 'ip4' ? 32 : 128);
}

/** The name that a term looks up; macros (RFC 7208 section 7) make it depend on the mail. */
function findTarget(
  { name: mechanism, target }: Term,
  index: IndexedZone,
  owner: OwnerKey,
): Pick<SpfLookup, 'name' | 'owner'> {
  const [text] = target.split('/', 1);
  if (text === '' && (mechanism === 'a' || mechanism === 'mx')) return { name: undefined, owner };
  const name = text.includes('%') ? undefined : parseDomainName(text);
  if (name?.ok !== true) return { name: undefined, owner: undefined };
  return { name: name.value, owner: index.ownerOf(name.value) };
}
