// Finds RRsets and referrals that do not fit into the UDP answers of this and most other nameservers. The sizes are the
// least that the answer can have, so what is found never fits.
import { rrType } from '../dns/codes.ts';
import { domainNameAt } from '../dns/name.ts';
import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { warnOfSet, type Findings, type ZoneWarning } from '../model/zone-warning.ts';
import { parents, type IndexedZone } from './indexed-zone.ts';

/** Larger UDP messages may be fragmented and lost (RFC 9715); the nameserver sends none. */
const MAX_UDP_OCTETS = 1232;

/** Header, the question's type and class, and OPT without options (RFC 1035 section 4.1, RFC 6891 section 6.1.2). */
const FRAME_OCTETS = 12 + 4 + 11;

/** The owner name as a pointer, type, class, TTL and the length of RDATA. */
const RECORD_OCTETS = 12;
const POINTER_OCTETS = 2;
const A_OCTETS = 4;
const AAAA_OCTETS = 16;

export function checkAnswerSize(
  index: IndexedZone,
  owner: OwnerKey,
  set: readonly DomainRecord[],
): ZoneWarning | undefined {
  const octets = leastOctets(index, owner, set);
  if (octets <= MAX_UDP_OCTETS) return undefined;
  const message = `The answer with the ${formatRecordType(set[0].type)} records has at least ${octets} octets, more than the ${MAX_UDP_OCTETS} that fit into UDP: resolvers have to ask again over TCP, and those that cannot get nothing. Use fewer or shorter records (RFC 9715)`;
  return warnOfSet(set[0], 'answer_too_large', 'notice', message);
}

/** Required glue is part of a referral (RFC 9471 section 2). */
export function* checkReferralSize(
  index: IndexedZone,
  owner: OwnerKey,
  set: readonly DomainRecord[],
): Findings {
  let octets = leastOctets(index, owner, set);
  for (const { rdata } of set) {
    yield;
    const host = domainNameAt(rdata, 0);
    const hostOwner = host && index.ownerOf(host);
    if (hostOwner === undefined || (hostOwner !== owner && !parents(hostOwner).includes(owner))) continue;
    for (const { type } of index.owners.get(hostOwner) ?? []) {
      if (octets > MAX_UDP_OCTETS) break;
      yield;
      if (type === rrType.A) octets += RECORD_OCTETS + A_OCTETS;
      if (type === rrType.AAAA) octets += RECORD_OCTETS + AAAA_OCTETS;
    }
  }
  if (octets <= MAX_UDP_OCTETS) return;
  const message = `The referral with its NS records and their addresses has more than the ${MAX_UDP_OCTETS} octets that fit into UDP: resolvers have to ask again over TCP for every name below. Name fewer nameservers, or give them fewer addresses (RFC 9471 section 3)`;
  yield warnOfSet(set[0], 'referral_too_large', 'warning', message);
}

function leastOctets(index: IndexedZone, owner: OwnerKey, set: readonly DomainRecord[]): number {
  let octets = FRAME_OCTETS + questionOctets(index, owner) + set.length * RECORD_OCTETS;
  for (const { rdata } of set) octets += rdata.length;
  const offset = octets <= MAX_UDP_OCTETS ? undefined : compressedNames.get(set[0].type);
  if (offset === undefined) return octets;
  for (const { rdata } of set) {
    const name = domainNameAt(rdata, offset);
    // Names in the zone end in a pointer to the apex in the question (decision 2); others are written in full.
    if (name !== undefined && index.ownerOf(name) !== undefined)
      octets -= index.zone.length + 2 - POINTER_OCTETS;
  }
  return octets;
}

/** The offset of names that are compressed (RFC 3597 section 4), in octets. */
const compressedNames: ReadonlyMap<number, number> = new Map([
  [rrType.NS, 0],
  [rrType.CNAME, 0],
  [rrType.PTR, 0],
  [rrType.MX, 2],
]);

function questionOctets({ zone }: IndexedZone, owner: OwnerKey): number {
  if (owner === '') return zone.length + 2;
  const label = owner.includes('\\') ? owner.replaceAll(/\\(?:\d{3}|.)/g, 'x') : owner;
  return zone.length + 2 + label.length + 1;
}
