// A small zone with a wildcard, an empty non-terminal, delegations with and without DS, a DNAME and a chain of aliases, and
// the questions that resolvers are asked about it.

import { expectAnswer, type ExpectedAnswer, type ModelZone } from '../../interop/signed/model-zone.ts';

export interface Question {
  readonly name: string;
  readonly type: string;
  readonly status: ExpectedAnswer['status'];
  /** `owner type data` of each record, sorted, without signatures; undefined: any that are not none. */
  readonly lines: readonly string[] | undefined;
  /** Whether the answer is secure if the zone is. */
  readonly isSecure: boolean;
}

/** Delegated below each zone; only the first has a DS record. */
export const delegated = ['secure', 'insecure'] as const;

/** The nameserver of all zones. A delegation names no port, so resolvers are told the address in another way. */
export const NAMESERVER = 'ns.registry.example.';

/** @param apex absolute @param ds the data of the DS record of `secure`, as dig prints it */
export function nastyZone(
  apex: string,
  ds: string,
  nameservers: readonly string[] = [NAMESERVER],
): ModelZone {
  const at = (owner: string): string => (owner === '@' ? apex : `${owner}.${apex}`);
  const lines: readonly (readonly [owner: string, ttl: number, type: string, shown: string])[] = [
    ...nameservers.map((name) => ['@', 3600, 'NS', name] as const),
    ['@', 300, 'A', '192.0.2.1'],
    ['@', 600, 'TXT', '"one text"'],
    ['www', 300, 'A', '192.0.2.2'],
    ['www', 300, 'A', '192.0.2.3'],
    ['www', 900, 'AAAA', '2001:db8::2'],
    ['under.empty', 300, 'TXT', '"below an empty non-terminal"'],
    ['*.wild', 300, 'A', '192.0.2.4'],
    ['exact.wild', 300, 'TXT', '"no wildcard here"'],
    ['*.alias', 300, 'CNAME', at('www')],
    ['first', 300, 'CNAME', at('second')],
    ['second', 600, 'CNAME', at('host.moved')],
    ['moved', 300, 'DNAME', at('target')],
    ['host.target', 300, 'A', '192.0.2.5'],
    ...delegated.map((child) => [child, 300, 'NS', NAMESERVER] as const),
    ['secure', 300, 'DS', ds],
  ];
  const records = lines.map(([owner, ttl, type, shown], i) => {
    return { id: String(i), owner: at(owner), type, ttl, shown };
  });
  return { apex, records, children: delegated.map(at) };
}

/** Neighbours in this list differ in kind, so that each half of the list has every kind. */
const questions = [
  ['@', 'DNSKEY'],
  ['@', 'SOA'],
  ['www', 'A'],
  ['www', 'AAAA'],
  ['@', 'NS'],
  ['@', 'TXT'],
  ['www', 'TXT'],
  ['@', 'MX'],
  ['empty', 'A'],
  ['under.empty', 'TXT'],
  ['nothing', 'A'],
  ['a.b.nothing', 'TXT'],
  ['one.wild', 'A'],
  ['two.labels.wild', 'A'],
  ['one.wild', 'TXT'],
  ['exact.wild', 'A'],
  ['any.alias', 'AAAA'],
  ['other.alias', 'A'],
  ['first', 'A'],
  ['second', 'A'],
  ['host.moved', 'A'],
  ['nothing.moved', 'A'],
  ['secure', 'DS'],
  ['insecure', 'DS'],
  ['www.secure', 'A'],
  ['nothing.secure', 'A'],
  ['www.insecure', 'A'],
  ['nothing.insecure', 'A'],
  ['@', 'CDS'],
  ['@', 'CDNSKEY'],
] as const;

/** Sets that the service makes. */
const ownTypes: readonly string[] = ['DNSKEY', 'SOA', 'CDS', 'CDNSKEY'];

/** @param isSigned false: the zone has no keys, and is not asked for them */
export function questionsAbout(zone: ModelZone, isSigned: boolean): Question[] {
  return questions.flatMap(([owner, type]): Question[] => {
    const name = owner === '@' ? zone.apex : `${owner}.${zone.apex}`;
    if (ownTypes.includes(type)) {
      const isAsked = isSigned || type === 'SOA';
      return isAsked ? [{ name, type, status: 'NOERROR', lines: undefined, isSecure: true }] : [];
    }
    const expected = expectAnswer(zone, name, type);
    if (expected === undefined) throw new Error(`no answer to ${name} ${type} is expected`);
    const { status, lines, isSecure } = expected;
    return [{ name, type, status, lines, isSecure }];
  });
}
