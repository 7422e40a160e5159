/**
 * Loads one zone from the store into the zone space, slice by slice. Updates committed meanwhile wait here and are put on
 * top of the rows that were read, so that the zone shown in the end is the store's newest state.
 *
 *     rows of a snapshot ─▶ image that no reader sees ◀─ owners changed since then        ⇒ shown
 */

import type { DomainName } from '../dns/name.ts';
import type { Denial } from '../dns/proven-types.ts';
import type { ZoneName } from '../model/domain.ts';
import { SOA_OWNER } from '../model/generated-row.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import type { OwnerKey } from '../model/record.ts';
import type { SoaDefaults } from '../model/soa.ts';
import type { OwnerContent, ServedRecord, ZoneHead, ZoneUpdate } from '../model/zone-update.ts';
import type { ZoneSnapshot, ZoneSource } from '../store/store.ts';
import type { OwnerSets, ZonePart } from '../zone/image-builder.ts';
import type { Steps } from '../base/steps.ts';
import type { ZoneMemory } from '../zone/zone-memory.ts';
import { isNewerSerial } from '../dns/serial.ts';
import {
  denialOf,
  ownerPart,
  readParts,
  soaContent,
  type ContentOptions,
  type SignedSoaRow,
} from './served-content.ts';

/**
 * Records and emptied owners that wait for the end of a load, some 20 MB: as many as a disk can write in the five seconds
 * that a million records take to load. Beyond this the load restarts.
 */
export const MAX_WAITING_RECORDS = 100_000;
/** Smaller zones load in some 3 ms, in one slice: with many of them, a turn of the event loop each would delay them all. */
export const SLICED_FROM_RECORDS = 1000;
/**
 * Octets of RDATA after which any load goes on in slices: reading and placing them takes some 2 ms. A zone of few records
 * may hold 60 MB.
 */
export const SLICED_FROM_BYTES = 262_144;
/** A load that restarts so often is abandoned: the zone changes faster than it can be read. */
export const MAX_STARTS = 10;

export interface ZoneLoadOptions {
  readonly source: ZoneSource;
  readonly zones: ZoneMemory;
  readonly soa: SoaDefaults;
  /** Called for a generated row that is ignored because it is damaged. */
  readonly onDamagedRow: (zone: ZoneName, owner: OwnerKey) => void;
  /** A zone with fewer records, and fewer octets of RDATA, is loaded in one slice, however long it takes. */
  readonly slicedFromRecords: number;
  /** See `SLICED_FROM_BYTES`. */
  readonly slicedFromBytes: number;
  /** See `MAX_WAITING_RECORDS`. */
  readonly maxWaitingRecords: number;
}

/** `gone`: the zone is no longer hosted or stored; `overtaken`: it changes faster than it can be read. */
export type LoadState = 'loading' | 'loaded' | 'gone' | 'no room' | 'overtaken';

export class ZoneLoad {
  readonly name: ZoneName;
  readonly apex: DomainName;
  /** Time of all slices so far. */
  spentMs = 0;
  /** Approximate number of its records, once it has begun. */
  recordCount = 0;
  private readonly options: ZoneLoadOptions;
  private reading: Reading | undefined;
  private starts = 0;

  constructor(name: ZoneName, apex: DomainName, options: ZoneLoadOptions) {
    this.name = name;
    this.apex = apex;
    this.options = options;
  }

  /**
   * Runs for about `sliceMs`, at least one step. Holds no memory or snapshot unless it returns `loading`.
   *
   * @throws any error of reading the store
   */
  runSlice(sliceMs: number): LoadState {
    const startMs = performance.now();
    let state: LoadState = 'gone';
    try {
      this.reading ??= this.begin();
      if (this.reading === undefined) state = this.whyNotBegun();
      else state = runSteps(this.reading, startMs + sliceMs);
    } finally {
      this.spentMs += performance.now() - startMs;
      if (state !== 'loading') this.abandon();
    }
    return state;
  }

  /** Takes in a committed update of this zone. */
  take(update: ZoneUpdate): void {
    const { reading } = this;
    // A later snapshot contains the update.
    if (reading === undefined) return;
    const isSameZone = update.kind === 'changed' && update.head.domainId === reading.head.domainId;
    if (!isSameZone || reading.isSignedAnotherWay(update.owners)) this.abandon();
    else if (isNewerSerial(update.head.serial, reading.head.serial)) {
      reading.take(update.head, update.owners);
      if (reading.waitingRecords > this.options.maxWaitingRecords) this.abandon();
    }
  }

  /** Discards what was read and built; the next slice, if any, restarts the load. */
  abandon(): void {
    this.reading?.close();
    this.reading = undefined;
  }

  private begin(): Reading | undefined {
    const { source, zones } = this.options;
    if (this.starts >= MAX_STARTS || !zones.isHosted(this.apex)) return undefined;
    const snapshot = source.readZone(this.name);
    if (snapshot === undefined) return undefined;
    this.starts++;
    this.recordCount = snapshot.recordCount;
    return new Reading(snapshot, this.apex, this.options);
  }

  private whyNotBegun(): LoadState {
    return this.starts >= MAX_STARTS ? 'overtaken' : 'gone';
  }
}

function runSteps(reading: Reading, untilMs: number): LoadState {
  do {
    const step = reading.steps.next();
    if (step.done === true) return step.value ? 'loaded' : 'no room';
  } while (reading.isSmall() || performance.now() < untilMs);
  return 'loading';
}

/** A snapshot of the zone being built into an image, with the updates since. */
class Reading {
  head: ZoneHead;
  readonly steps: Steps<boolean>;
  /** Limited by `maxWaitingRecords`. */
  waitingRecords = 0;
  private readonly parts: Generator<OwnerSets | SignedSoaRow>;
  private readonly waiting = new Map<OwnerKey, readonly ServedRecord[]>();
  private readonly content: ContentOptions;
  private denial: Denial | undefined;
  private signedSoa: ServedRecord | undefined;
  private readonly hasFewRecords: boolean;
  private readonly slicedFromBytes: number;
  private readBytes = 0;
  private isApexRead = false;
  private isHeadPut = false;

  constructor(snapshot: ZoneSnapshot, apex: DomainName, options: ZoneLoadOptions) {
    const { zones, soa } = options;
    const { name } = snapshot.head;
    this.head = snapshot.head;
    this.hasFewRecords = snapshot.recordCount < options.slicedFromRecords;
    this.slicedFromBytes = options.slicedFromBytes;
    this.content = { soa, onDamagedRow: (owner) => options.onDamagedRow(name, owner) };
    this.parts = readParts(snapshot, this.content);
    const { accountId: account, recordCount: expectedRecords } = snapshot;
    const zone = { apex, domainId: snapshot.head.domainId, account, expectedRecords };
    this.steps = zones.loading(zone, () => this.nextPart());
  }

  /** True as long as the zone looks as if all of it took no longer than a slice. */
  isSmall(): boolean {
    return this.hasFewRecords && this.readBytes < this.slicedFromBytes;
  }

  /** Whether an image of this zone cannot take these owners because its chain is of another kind. */
  isSignedAnotherWay(owners: readonly OwnerContent[]): boolean {
    const apex = owners.find(({ owner }) => owner === APEX);
    return apex !== undefined && denialOf(this.partOf(apex)) !== this.denial;
  }

  take(head: ZoneHead, owners: readonly OwnerContent[]): void {
    this.head = head;
    this.isHeadPut = false;
    for (const { owner, records } of owners) {
      if (owner === SOA_OWNER) {
        this.signedSoa = records.at(0);
        continue;
      }
      this.waitingRecords += weight(records) - weight(this.waiting.get(owner));
      this.waiting.set(owner, records);
    }
  }

  /** Releases the unfinished image and the store's snapshot. */
  close(): void {
    this.steps.return(false);
    this.parts.return(undefined);
  }

  private nextPart(): ZonePart | undefined {
    const read = this.readPart();
    if (read !== undefined) return read;
    for (const [owner, records] of this.waiting) {
      this.waiting.delete(owner);
      this.waitingRecords -= weight(records);
      return this.partOf({ owner, records });
    }
    if (this.isHeadPut) return undefined;
    this.isHeadPut = true;
    return { soa: soaContent(this.head, this.signedSoa, this.content) };
  }

  private readPart(): OwnerSets | undefined {
    for (let read = this.parts.next(); read.done !== true; read = this.parts.next()) {
      const part = read.value;
      if ('signedSoa' in part) {
        // An update that came meanwhile is newer.
        this.signedSoa ??= part.signedSoa;
        continue;
      }
      // The apex comes first.
      if (!this.isApexRead) this.denial = denialOf(part);
      this.isApexRead = true;
      for (const { rdatas } of part.sets) for (const rdata of rdatas) this.readBytes += rdata.length;
      return part;
    }
    return undefined;
  }

  private partOf({ owner, records }: OwnerContent): OwnerSets {
    return ownerPart(owner, ownerDomainName(owner, this.head.name), records, this.content);
  }
}

function weight(records: readonly ServedRecord[] | undefined): number {
  return records === undefined ? 0 : records.length + 1;
}
