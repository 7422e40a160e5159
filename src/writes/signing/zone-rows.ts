import { assert } from '../../base/assert.ts';
import { visitInSteps, type Steps } from '../../base/steps.ts';
import { rrType } from '../../dns/codes.ts';
import type { DomainName } from '../../dns/name.ts';
import { ownerStatus, type OwnerStatus } from '../../dns/proven-types.ts';
import type { StoredSignature } from '../../dns/stored-signature.ts';
import { signatureTimes, type SignatureTimes } from '../../dnssec/signature-times.ts';
import { signRrset } from '../../dnssec/signed-data.ts';
import { hasUse, isNamedAlike, keyUse, type ZoneKey } from '../../dnssec/zone-key.ts';
import {
  decodeOwnerSignatures,
  encodeOwnerSignatures,
  generatedPrefix,
  generatedType,
  signaturesId,
  type OwnerSignatures,
} from '../../model/generated-row.ts';
import { APEX } from '../../model/record-name.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import type { SignableDomain } from './signable-domain.ts';
import type { BatchSigning } from './batch-signing.ts';
import { keySetTypes } from './key-set-types.ts';
import { OwnerIds, type OwnerName } from './owner-ids.ts';
import { ownersAbove } from './owners-above.ts';
import type { SignedExtent } from './signed-extent.ts';

/** A set as it is served. */
export interface ServedSet {
  readonly type: number;
  readonly ttl: number;
  readonly rdatas: readonly Uint8Array[];
}

interface SignaturesRow {
  readonly row: DomainRecord;
  value: OwnerSignatures;
}

/**
 * The generated rows of one signed domain as values, the order of its names, and the keys that sign them. Everything that is put here is
 * written with the batch, once `finish` has been called.
 */
export class ZoneRows {
  readonly domain: SignableDomain;
  readonly signing: BatchSigning;
  readonly extent: SignedExtent;
  private readonly zoneKeys: readonly ZoneKey[];
  private readonly keySetKeys: readonly ZoneKey[];
  readonly times: SignatureTimes;
  private readonly ids: OwnerIds;
  /** Rows of signatures by id: what was decoded of them, or is to be encoded. */
  private readonly values = new Map<string, SignaturesRow>();
  /** Those that are to be encoded, by id. */
  private readonly unencoded = new Map<string, SignaturesRow>();

  constructor(domain: SignableDomain, extent: SignedExtent, signing: BatchSigning) {
    const keys = domain.keys.all();
    this.domain = domain;
    this.signing = signing;
    this.extent = extent;
    this.zoneKeys = keys.filter((key) => hasUse(key, keyUse.SIGNS_ZONE));
    this.keySetKeys = keys.filter((key) => hasUse(key, keyUse.SIGNS_KEYS));
    assert(this.zoneKeys.length > 0 && this.keySetKeys.length > 0, 'a signed domain has keys that sign');
    this.ids = new OwnerIds(domain.current.name);
    this.times = signatureTimes(domain.current.id, signing.nowSeconds);
  }

  get apex(): DomainName {
    return this.ids.apex;
  }

  nameOf(owner: OwnerKey): DomainName {
    return this.ids.nameOf(owner);
  }

  idOf(owner: OwnerKey): string {
    return this.ids.idOf(owner);
  }

  /**
   * The signatures of a set, by each key that signs sets of its type.
   *
   * @param existing signatures of the set as it is; those of such a key are kept
   */
  sign(
    owner: DomainName,
    set: ServedSet,
    existing: readonly StoredSignature[] = [],
  ): readonly StoredSignature[] {
    const keys = keySetTypes.has(set.type) ? this.keySetKeys : this.zoneKeys;
    const { type, ttl, rdatas } = set;
    const { inception, expiration } = this.times;
    // Property by property: V8 takes microseconds to merge objects.
    const unsigned = { owner, type, ttl, rdatas, apex: this.apex, inception, expiration };
    return keys.map(
      (key) =>
        existing.find(({ keyTag: tag, algorithm }) => isNamedAlike(key, { tag, algorithm })) ??
        signRrset(this.signing.signer, key, unsigned),
    );
  }

  /** Undefined for a name that owns nothing, or is not signed yet. */
  signaturesOf(owner: OwnerKey): OwnerSignatures | undefined {
    return this.valueOf(this.domain.generated.get(this.idOf(owner), owner));
  }

  putSignatures({ owner, id }: OwnerName, status: OwnerStatus, signatures: readonly StoredSignature[]): void {
    const value = { status, signatures };
    const former = this.unencoded.get(id);
    if (former !== undefined && this.domain.generated.get(id, owner) === former.row) {
      former.value = value;
      return;
    }
    const made = { row: generatedRow(id, owner, generatedType.signatures, noOctets), value };
    this.domain.generated.put(made.row);
    this.values.set(id, made);
    this.unencoded.set(id, made);
  }

  /** Encodes the rows of signatures: most owners were put twice, the second time with the signature of their NSEC record. */
  *finish(): Steps<void> {
    const { generated } = this.domain;
    yield* visitInSteps(this.unencoded, ([id, { row, value }]) => {
      // It may have been dropped since.
      if (generated.get(id, row.owner) !== row) return;
      const rdata = encodeOwnerSignatures(value.status, inTypeOrder(value.signatures));
      generated.put(generatedRow(id, row.owner, generatedType.signatures, rdata));
    });
  }

  /** Holds the place of an owner that is not signed yet. */
  putPlace({ owner, id }: OwnerName): void {
    const { generated } = this.domain;
    if (generated.get(id, owner) !== undefined) return;
    generated.put(generatedRow(id, owner, generatedType.unfinished, noOctets));
  }

  /** The owner of the chain before this place; the last one before the apex. */
  chainedBefore(id: string): OwnerName {
    const { generated } = this.domain;
    const before = generated.rowBefore(generatedPrefix.signatures, id);
    // The apex is signed last, and so is the end of the chain, which comes before it.
    if (before === undefined && !this.extent.hasApex) return this.apexName();
    const row = before ?? generated.rowBefore(generatedPrefix.signatures, `${generatedPrefix.signatures}~`);
    assert(row !== undefined, 'the apex has a row');
    return this.isOccluded(row) ? this.nameAbove(row.owner) : row;
  }

  /** The owner of the chain after this place; the apex after the last one that is signed. */
  chainedAfter(id: string): OwnerName {
    const { generated } = this.domain;
    const row = generated.rowAfter(generatedPrefix.signatures, id);
    if (row === undefined || isUnfinished(row)) return this.apexName();
    if (!this.isOccluded(row)) return row;
    // Everything below the delegation or DNAME is passed over: a tilde sorts after all octets of a name.
    const { id: above } = this.nameAbove(row.owner);
    const beyond = generated.rowAfter(generatedPrefix.signatures, `${above}!~`);
    return beyond === undefined || isUnfinished(beyond) ? this.apexName() : beyond;
  }

  private apexName(): OwnerName {
    return { owner: APEX, id: signaturesId('') };
  }

  private isOccluded(row: DomainRecord): boolean {
    return this.valueOf(row)?.status === ownerStatus.OCCLUDED;
  }

  /** The delegation or DNAME that occludes the owner. */
  private nameAbove(owner: OwnerKey): OwnerName {
    for (const above of ownersAbove(owner)) {
      const found = this.signaturesOf(above);
      if (found !== undefined && found.status !== ownerStatus.OCCLUDED) {
        return { owner: above, id: this.idOf(above) };
      }
    }
    throw new Error(`nothing occludes ${owner}, although its row says so`);
  }

  private valueOf(row: DomainRecord | undefined): OwnerSignatures | undefined {
    if (row === undefined || isUnfinished(row)) return undefined;
    const known = this.values.get(row.id);
    if (known?.row === row) return known.value;
    const value = decodeOwnerSignatures(row.rdata);
    assert(value !== undefined, `the row ${row.id} holds signatures`);
    this.values.set(row.id, { row, value });
    return value;
  }
}

const noOctets = new Uint8Array();

/** Most of them are in order, and V8 takes a kilobyte for each list that it sorts. */
function inTypeOrder(signatures: readonly StoredSignature[]): readonly StoredSignature[] {
  const isInOrder = signatures.every(({ type }, at) => at === 0 || signatures[at - 1].type <= type);
  return isInOrder ? signatures : signatures.toSorted((a, b) => a.type - b.type);
}

export function generatedRow(
  id: string,
  owner: OwnerKey,
  type: number,
  rdata: Uint8Array,
  ttl = 0,
): DomainRecord {
  return { id, owner, name: '', type, data: '', priority: -1, ttl, rdata };
}

function isUnfinished({ type }: DomainRecord): boolean {
  return type === generatedType.unfinished;
}

/** Whether the names below are occluded. */
export function occludesBelow({ status, signatures }: OwnerSignatures): boolean {
  return status !== ownerStatus.AUTHORITATIVE || signatures.some(({ type }) => type === rrType.DNAME);
}

/**
 * The types of the sets at an owner of the chain, as its NSEC or NSEC3 record lists them (see `provenTypeBitmap`): each once,
 * although a set has a signature of each key during a rollover.
 */
export function chainedTypes(owner: OwnerKey, { status, signatures }: OwnerSignatures): number[] {
  const types: number[] = [];
  if (status === ownerStatus.DELEGATION) types.push(rrType.NS);
  for (const { type } of signatures) if (type !== rrType.NSEC && !types.includes(type)) types.push(type);
  if (owner === APEX && status !== ownerStatus.DELEGATION) types.push(rrType.SOA);
  return types;
}
