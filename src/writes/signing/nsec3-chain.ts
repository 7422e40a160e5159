import { rrType } from '../../dns/codes.ts';
import { nsec3Owner, nsec3Rdata } from '../../dns/nsec3-rdata.ts';
import { ownerStatus, provenTypeBitmap } from '../../dns/proven-types.ts';
import { assert } from '../../base/assert.ts';
import type { Steps } from '../../base/steps.ts';
import {
  encodeHashedName,
  generatedPrefix,
  generatedType,
  hashedNameId,
  NAME_HASH_OCTETS,
} from '../../model/generated-row.ts';
import { keysBelow } from '../../model/order-key.ts';
import { APEX } from '../../model/record-name.ts';
import { NEGATIVE_TTL_SECONDS } from '../../model/soa.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import { ownersAbove } from './owners-above.ts';
import type { ChainExtent } from './signed-extent.ts';
import type { ChainChanges } from './sign-owners.ts';
import { visitAll } from './visit-all.ts';
import { chainedTypes, generatedRow, type ZoneRows } from './zone-rows.ts';

/**
 * Signs the NSEC3 record of each name that joined the chain, that has other types, or whose next hash changed. A name that
 * owns nothing is in the chain as long as a name below it is: an empty non-terminal (RFC 5155 section 7.1).
 *
 * @param extent the rows after its places are not made yet, or not signed
 * @param due owners whose NSEC3 signature is made again in any case, and which join the chain if they are not in it
 */
export function* signNsec3Chain(
  zone: ZoneRows,
  extent: ChainExtent,
  { joined, left, retyped }: ChainChanges,
  due: Iterable<OwnerKey>,
): Steps<void> {
  const chain = new HashedChain(zone, extent.hashesUpTo);
  // First, so that an empty non-terminal found while names are added is known to stay.
  yield* visitAll(left, ({ owner }) => chain.leave(owner));
  yield* visitAll(joined, ({ owner, id }) => {
    if (id <= extent.namesUpTo) chain.join(owner);
  });
  for (const { owner } of retyped) chain.retype(owner);
  yield* visitAll(due, (owner) => chain.renew(owner));
  yield* visitAll(chain.moved, (id) => chain.addBefore(id));
  yield* visitAll(chain.stale.values(), (row) => chain.sign(row));
}

const prefix = generatedPrefix.hashedName;

class HashedChain {
  /** Ids that joined or left. */
  readonly moved = new Set<string>();
  /** The rows to sign, by id. */
  readonly stale = new Map<string, { readonly id: string; readonly owner: OwnerKey }>();
  private readonly zone: ZoneRows;
  private readonly signedUpTo: string;

  /** @param signedUpTo the rows after it are not signed yet */
  constructor(zone: ZoneRows, signedUpTo: string) {
    this.zone = zone;
    this.signedUpTo = signedUpTo;
  }

  leave(owner: OwnerKey): void {
    for (const name of [owner, ...ownersAbove(owner)]) {
      if (this.isChained(name)) return;
      if (this.hasChainedBelow(name)) {
        this.retype(name);
        return;
      }
      const row = this.find(name);
      if (row === undefined) continue;
      this.zone.domain.generated.drop(row.id, name);
      this.moved.add(row.id);
    }
  }

  join(owner: OwnerKey): void {
    this.retype(owner);
    if (this.find(owner) === undefined) this.add(owner);
    for (const name of ownersAbove(owner)) {
      if (name === APEX || this.find(name) !== undefined) return;
      this.add(name);
    }
  }

  /** The apex joins with the write that makes the zone one with NSEC3 records. */
  renew(owner: OwnerKey): void {
    if (this.isChained(owner)) this.join(owner);
    else this.retype(owner);
  }

  /** The types of the name, or its lack of any, may have changed. */
  retype(owner: OwnerKey): void {
    const id = this.idOf(owner);
    this.stale.set(id, { id, owner });
  }

  /** The record before a place that joined or left names another hash. */
  addBefore(id: string): void {
    const { generated } = this.zone.domain;
    const row = generated.rowBefore(prefix, id) ?? generated.rowBefore(prefix, `${prefix}~`);
    if (row !== undefined) this.stale.set(row.id, row);
  }

  sign({ id, owner }: { readonly id: string; readonly owner: OwnerKey }): void {
    const { zone } = this;
    const { generated } = zone.domain;
    const row = generated.get(id, owner);
    if (row === undefined || id > this.signedUpTo) return;
    const next = generated.rowAfter(prefix, id) ?? generated.rowAfter(prefix, prefix);
    assert(next !== undefined, 'a chain has the record that is signed');
    const rdata = nsec3Rdata(hashOf(next), this.bitmapOf(owner));
    const set = { type: rrType.NSEC3, ttl: NEGATIVE_TTL_SECONDS, rdatas: [rdata] };
    const hash = hashOf(row);
    const signatures = zone.sign(nsec3Owner(hash, zone.apex), set);
    generated.put(generatedRow(id, owner, generatedType.hashedName, encodeHashedName({ hash, signatures })));
  }

  /** Empty for an empty non-terminal. */
  private bitmapOf(owner: OwnerKey): Uint8Array {
    const row = this.zone.signaturesOf(owner);
    if (row === undefined) return provenTypeBitmap([], ownerStatus.AUTHORITATIVE, 'nsec3');
    return provenTypeBitmap(chainedTypes(owner, row), row.status, 'nsec3');
  }

  /** Adds a row, which is signed later, also if its place has been passed. */
  private add(owner: OwnerKey): void {
    const hash = this.zone.signing.signer.hashName(this.zone.nameOf(owner));
    const id = hashedNameId(hash);
    this.zone.domain.generated.put(generatedRow(id, owner, generatedType.unfinished, hash));
    this.moved.add(id);
    this.stale.set(id, { id, owner });
  }

  private find(owner: OwnerKey): DomainRecord | undefined {
    return this.zone.domain.generated.get(this.idOf(owner), owner);
  }

  private idOf(owner: OwnerKey): string {
    return hashedNameId(this.zone.signing.signer.hashName(this.zone.nameOf(owner)));
  }

  private isChained(owner: OwnerKey): boolean {
    const row = this.zone.signaturesOf(owner);
    return row !== undefined && row.status !== ownerStatus.OCCLUDED;
  }

  /**
   * The first name below tells for all: if it is occluded, so is every other one, because a delegation or DNAME comes
   * before the names that it occludes.
   */
  private hasChainedBelow(owner: OwnerKey): boolean {
    const id = this.zone.idOf(owner);
    const row = this.zone.domain.generated.rowAfter(generatedPrefix.signatures, id);
    return row !== undefined && row.id < keysBelow(id).to && this.isChained(row.owner);
  }
}

function hashOf({ rdata }: DomainRecord): Uint8Array {
  return rdata.subarray(0, NAME_HASH_OCTETS);
}
