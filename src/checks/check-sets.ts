// Checks that need the records of one RRset: TTLs, a null MX beside others, nameservers, and answers that do not fit.
import { rrType } from '../dns/codes.ts';
import { domainNameAt, formatDomainName } from '../dns/name.ts';
import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { warnOf, warnOfSet, type Findings, type ZoneWarning } from '../model/zone-warning.ts';
import { checkAnswerSize, checkReferralSize } from './answer-size.ts';
import type { IndexedZone } from './indexed-zone.ts';

export function* checkSets(index: IndexedZone, owner: OwnerKey, records: readonly DomainRecord[]): Findings {
  if (records.length === 1) yield* checkSet(index, owner, records);
  else for (const set of yield* groupByType(records)) yield* checkSet(index, owner, set);
}

function* groupByType(records: readonly DomainRecord[]): Findings<Iterable<readonly DomainRecord[]>> {
  const sets = new Map<number, DomainRecord[]>();
  for (const record of records) {
    yield;
    const set = sets.get(record.type);
    if (set === undefined) sets.set(record.type, [record]);
    else set.push(record);
  }
  return sets.values();
}

/** An RRset fits into a message, so it has a few thousand records at most. */
function* checkSet(index: IndexedZone, owner: OwnerKey, set: readonly DomainRecord[]): Findings {
  yield* findTtlFaults(set);
  const [{ type }] = set;
  if (type === rrType.NS) {
    yield* checkNameservers(owner, set);
    if (owner !== '') return yield* checkReferralSize(index, owner, set);
  }
  if (type === rrType.MX) yield* checkNullMx(set);
  yield checkAnswerSize(index, owner, set);
}

/** Shorter TTLs are of no use to anybody: resolvers ask for every client. Providers use 1 to mean "automatic". */
export const MIN_TTL_SECONDS = 5;

/** An RRset has one TTL (RFC 2181 section 5.2); the nameserver serves the lowest. */
function findTtlFaults(set: readonly DomainRecord[]): readonly ZoneWarning[] {
  const [first] = set;
  let lowest = first.ttl;
  let highest = first.ttl;
  for (const { ttl } of set) {
    if (ttl < lowest) lowest = ttl;
    else if (ttl > highest) highest = ttl;
  }
  if (lowest === highest && lowest >= MIN_TTL_SECONDS) return noWarnings;
  const type = formatRecordType(first.type);
  const differing = `The ${type} records have TTLs from ${lowest} to ${highest}; all of them are served with ${lowest}`;
  const short = `The TTL of the ${type} records is ${lowest} s, so resolvers hardly keep them; 1 often stands for “automatic” at other providers. Set 60 or more, 3600 if they seldom change`;
  return [
    ...(lowest === highest ? [] : [warnOfSet(first, 'ttls_differ', 'notice', differing)]),
    ...(lowest >= MIN_TTL_SECONDS ? [] : [warnOfSet(first, 'ttl_short', 'warning', short)]),
  ];
}

const noWarnings: readonly ZoneWarning[] = [];

/** RFC 7505 section 3. */
function* checkNullMx(set: readonly DomainRecord[]): Findings {
  if (set.length === 1) return;
  for (const record of set) {
    yield;
    if (record.rdata[2] !== 0) continue;
    const message =
      'The MX record says that the name takes no mail, but other MX records stand beside it; delete it or them (RFC 7505 section 3)';
    yield warnOf(record, 'null_mx_not_alone', 'error', message);
  }
}

function* checkNameservers(owner: OwnerKey, set: readonly DomainRecord[]): Findings {
  for (const record of set) {
    yield;
    // Most names are told apart by the length of their last label.
    if (record.rdata.at(-PLACEHOLDER_END) !== PLACEHOLDER.length) continue;
    const host = domainNameAt(record.rdata, 0);
    const text = host === undefined ? '' : formatDomainName(host).toLowerCase();
    if (!`.${text}`.endsWith(`.${PLACEHOLDER}.`)) continue;
    const message = `The NS record names ${text}, a placeholder that never has an address; replace it by a nameserver that serves the name (RFC 6761 section 6.4)`;
    yield warnOf(record, 'nameserver_placeholder', 'error', message);
  }
  if (set.length > 1) return;
  const message =
    'There is only one NS record: while that nameserver cannot be reached, nothing below this name resolves; name at least two (RFC 1034 section 4.1, RFC 2182 section 5)';
  yield warnOf(set[0], 'nameserver_single', owner === '' ? 'warning' : 'notice', message);
}

/** The top-level name that resolves nowhere; the service uses one below it until its nameservers are configured. */
const PLACEHOLDER = 'invalid';
/** Octets of its label with the length octet and the root. */
const PLACEHOLDER_END = PLACEHOLDER.length + 2;
