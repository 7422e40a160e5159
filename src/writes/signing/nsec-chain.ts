import { rrType } from '../../dns/codes.ts';
import { nsecRdata } from '../../dns/nsec-rdata.ts';
import { ownerStatus, provenTypeBitmap } from '../../dns/proven-types.ts';
import type { Steps } from '../../base/steps.ts';
import { NEGATIVE_TTL_SECONDS } from '../../model/soa.ts';
import type { OwnerKey } from '../../model/record.ts';
import type { ChainChanges } from './sign-owners.ts';
import type { OwnerName } from './owner-ids.ts';
import type { ChainExtent } from './signed-extent.ts';
import { visitAll } from './visit-all.ts';
import { chainedTypes, type ZoneRows } from './zone-rows.ts';

/**
 * Signs the NSEC record of each name that joined the chain, that has other types, or whose next name changed.
 *
 * @param namesUpTo the names after it are not in the chain yet (`ChainExtent`)
 * @param due names whose NSEC signature is made again in any case
 */
export function* signNsecChain(
  zone: ZoneRows,
  { namesUpTo }: ChainExtent,
  { joined, left, retyped }: ChainChanges,
  due: Iterable<OwnerName>,
): Steps<void> {
  const stale = new Map<OwnerKey, OwnerName>();
  const add = (name: OwnerName): void => {
    if (name.id <= namesUpTo) stale.set(name.owner, name);
  };
  for (const name of [...due, ...joined, ...retyped]) add(name);
  yield* visitAll([...joined, ...left], ({ id }) => add(zone.chainedBefore(id)));
  yield* visitAll(stale.values(), (name) => signNsec(zone, name));
}

function signNsec(zone: ZoneRows, name: OwnerName): void {
  const { owner, id } = name;
  const row = zone.signaturesOf(owner);
  if (row === undefined || row.status === ownerStatus.OCCLUDED) return;
  const bitmap = provenTypeBitmap(chainedTypes(owner, row), row.status, 'nsec');
  const next = zone.nameOf(zone.chainedAfter(id).owner);
  const set = { type: rrType.NSEC, ttl: NEGATIVE_TTL_SECONDS, rdatas: [nsecRdata(next, bitmap)] };
  const others = row.signatures.filter(({ type }) => type !== rrType.NSEC);
  zone.putSignatures(name, row.status, [...others, ...zone.sign(zone.nameOf(owner), set)]);
}
