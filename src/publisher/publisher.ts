/**
 * Keeps the zone space equal to the store: receives every committed batch before its writers are answered, updates the
 * loaded zones that it changed, and loads other zones when a query needs them. Never writes to the store.
 *
 *     store ─ updates, rows ─▶ publisher ─ images ─▶ zone space ◀─ nameserver threads
 */

import { assert } from '../base/assert.ts';
import type { Log } from '../base/log.ts';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import type { ZoneName } from '../model/domain.ts';
import { SOA_OWNER } from '../model/generated-row.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import type { OwnerKey } from '../model/record.ts';
import type { SoaDefaults } from '../model/soa.ts';
import type { OwnerContent, ZoneUpdate } from '../model/zone-update.ts';
import type { ZoneSource } from '../store/store.ts';
import { spaceSize } from '../zone/zone-directory.ts';
import { ZoneMemory, type LoadedZone, type OwnerSets } from '../zone/zone-memory.ts';
import { createZoneSpace } from '../zone/zone-space.ts';
import { isNewerSerial } from '../dns/serial.ts';
import { FormerZones, MAX_FORMER_MS, MAX_FORMER_ZONES, type FormerZone } from './former-zones.ts';
import { denialOf, ownerPart, soaContent } from './served-content.ts';
import { MAX_WAITING_RECORDS, SLICED_FROM_BYTES, SLICED_FROM_RECORDS } from './zone-load.ts';
import {
  MAX_RUNNING_LOADS,
  SLICE_MS,
  ZoneLoadQueue,
  type EndState,
  type LoadingLimits,
  type ZoneLoadObserver,
} from './zone-load-queue.ts';

/** Names per read from the store when the directory is filled at startup. */
const NAMES_PER_READ = 10_000;

/** Writes are refused before; only another process with more zone memory, on the same database, leads to this. */
const DIRECTORY_FULL =
  'the zone memory has no room for more names; they are not served: raise the zone memory';

const OVERDUE = 'the new content of a zone is not loaded in time; its former content is no longer served';

const DAMAGED_ROW =
  'a signature of the zone is damaged and not served; sign the domain again by a change of that name';

/** Zones of which damaged rows are reported, each once; more of them have one cause. */
const MAX_REPORTED_ZONES = 1000;

/** Limits on loading zones, and on serving their former content meanwhile. */
export interface PublisherLimits extends LoadingLimits {
  /** See `MAX_FORMER_ZONES`. */
  readonly maxFormerZones: number;
  /** See `MAX_FORMER_MS`. */
  readonly maxFormerMs: number;
}

const defaultLoading: PublisherLimits = {
  maxFormerZones: MAX_FORMER_ZONES,
  maxFormerMs: MAX_FORMER_MS,
  sliceMs: SLICE_MS,
  slicedFromRecords: SLICED_FROM_RECORDS,
  slicedFromBytes: SLICED_FROM_BYTES,
  maxRunning: MAX_RUNNING_LOADS,
  maxWaitingRecords: MAX_WAITING_RECORDS,
};

export interface PublisherOptions {
  readonly source: ZoneSource;
  /** Size of the zone space; zone images and the directory of hosted names stay within it. */
  readonly memoryBytes: number;
  readonly soa: SoaDefaults;
  /** Threads that answer from the space. */
  readonly readers: number;
  /** 32 bits that outsiders cannot guess. */
  readonly seed: number;
  readonly log: Log;
  /** Overrides of the default limits on loading zones. */
  readonly loading?: Partial<PublisherLimits>;
  readonly observer?: ZoneLoadObserver;
}

export interface Publisher {
  /** The zone space; nameserver threads open it. */
  readonly memory: SharedArrayBuffer;
  /**
   * Loads the zone of that name if it is hosted and not in memory. Failures are logged; the zone is then not loaded.
   *
   * @returns undefined if the load ended at once, as for all but large zones; else a promise that resolves when it ends
   */
  loadZone(name: string): Promise<void> | undefined;
  /** The zones that are served as they were before a replacement: no later change of them is served yet. */
  formerZones(): readonly FormerZone[];
  /** The listener is called after each change of that list, and before the update that led to it is known as applied. */
  onFormerChange(listener: () => void): void;
  /** Bytes of the space in use. */
  usedBytes(): number;
  figures(): ZoneFigures;
  /** Stops publishing. */
  close(): void;
}

/** Figures of the zone space. */
export interface ZoneFigures {
  readonly hosted: number;
  readonly loaded: number;
  readonly usedBytes: number;
  readonly limitBytes: number;
  /** Zones dropped to make room for others, since the start. */
  readonly evictions: number;
}

/** Starts publishing; every hosted name is in the directory when it returns. */
export function startPublisher(options: PublisherOptions): Publisher {
  const { source, memoryBytes, readers, seed, log } = options;
  const hosted = source.hostedCount();
  const sizeBytes = spaceSize(memoryBytes, hosted);
  if (sizeBytes > memoryBytes) {
    log.warn(
      { domains: hosted, zone_memory: memoryBytes, used_memory: sizeBytes },
      'the directory of so many domains takes more than half of the zone memory; using more memory',
    );
  }
  const space = createZoneSpace(sizeBytes, readers, seed);
  const zones = new ZoneMemory(space);
  zones.reserve(hosted);
  const publishing = new Publishing(options, zones);
  return {
    memory: space.memory,
    loadZone: (name) => publishing.load(name as ZoneName),
    formerZones: () => publishing.former.list,
    onFormerChange: (listener) => publishing.former.onChange(listener),
    usedBytes: () => publishing.zones.usedBytes,
    figures: () => figuresOf(publishing.zones, sizeBytes),
    close: () => publishing.close(),
  };
}

function figuresOf(zones: ZoneMemory, limitBytes: number): ZoneFigures {
  const { hostedNames: hosted, loadedZones: loaded, usedBytes, evictions } = zones;
  return { hosted, loaded, usedBytes, limitBytes, evictions };
}

class Publishing {
  readonly zones: ZoneMemory;
  readonly former: FormerZones;
  private readonly options: PublisherOptions;
  private closed = false;
  private readonly loads: ZoneLoadQueue;
  /** Zones with a damaged row that was reported. */
  private readonly damaged = new Set<ZoneName>();

  constructor(options: PublisherOptions, zones: ZoneMemory) {
    this.options = options;
    this.zones = zones;
    const limits = { ...defaultLoading, ...options.loading };
    const onEnded = (name: ZoneName, state: EndState): void => this.endLoad(name, state);
    const onDamagedRow = (name: ZoneName, owner: OwnerKey): void => this.reportDamage(name, owner);
    this.loads = new ZoneLoadQueue({ ...options, ...limits, zones, onEnded, onDamagedRow });
    this.former = new FormerZones({
      maxZones: limits.maxFormerZones,
      maxMs: limits.maxFormerMs,
      onOverdue: (name) => {
        options.log.error({ zone: name }, OVERDUE);
        this.drop(name, apexName(name));
      },
    });
    options.source.onUpdate((updates) => this.apply(updates));
    this.hostAll();
  }

  close(): void {
    this.closed = true;
    this.loads.close();
    this.former.close();
  }

  load(name: ZoneName): Promise<void> | undefined {
    const apex = apexName(name);
    if (this.closed || !this.zones.isHosted(apex) || this.zones.findLoaded(apex) !== undefined)
      return undefined;
    return this.loads.start(name, apex);
  }

  private hostAll(): void {
    let names: readonly ZoneName[];
    let last = '';
    let refused = 0;
    do {
      names = this.options.source.hostedNames(last, NAMES_PER_READ);
      refused += this.zones.hostAll(names);
      last = names.at(-1) ?? last;
    } while (names.length === NAMES_PER_READ);
    if (refused > 0) this.options.log.error({ domains: refused }, DIRECTORY_FULL);
  }

  private apply(updates: readonly ZoneUpdate[]): void {
    if (this.closed) return;
    for (const update of updates) {
      const name = update.kind === 'deleted' ? update.name : update.head.name;
      this.loads.take(name, update);
      try {
        this.applyOne(name, apexName(name), update);
      } catch (error) {
        // The image may be incomplete: without it, the next query loads the zone from the store.
        this.options.log.error(
          { zone: name, err: error },
          'a change could not be published; reloading the zone',
        );
        this.drop(name, apexName(name));
      }
    }
  }

  private applyOne(name: ZoneName, apex: DomainName, update: ZoneUpdate): void {
    if (update.kind === 'deleted') {
      this.zones.forget(apex);
      this.former.delete(name);
      return;
    }
    // Hosts it again in case the directory had no room when the domain was created.
    if (!this.zones.host(apex)) {
      this.options.log.error({ zone: name }, DIRECTORY_FULL);
      return;
    }
    const loaded = this.zones.findLoaded(apex);
    if (loaded === undefined) return;
    if (update.kind === 'replaced') {
      this.reload(name, apex, loaded.serial);
      return;
    }
    // The change belongs to the new content, and not to the former image; the load has taken it.
    if (this.former.has(name)) return;
    const { head } = update;
    if (loaded.domainId !== head.domainId) {
      this.drop(name, apex);
      return;
    }
    if (!isNewerSerial(head.serial, loaded.serial)) return;
    this.applyOwners(apex, update, loaded);
  }

  private applyOwners(
    apex: DomainName,
    { head, owners }: Extract<ZoneUpdate, { kind: 'changed' }>,
    loaded: LoadedZone,
  ): void {
    const { soa, log } = this.options;
    const options = { soa, onDamagedRow: (owner: OwnerKey) => this.reportDamage(head.name, owner) };
    const part = ({ owner, records }: OwnerContent): OwnerSets =>
      ownerPart(owner, ownerDomainName(owner, head.name), records, options);
    const changed = owners.filter(({ owner }) => owner !== SOA_OWNER);
    const changedApex = changed.find(({ owner }) => owner === APEX);
    // An image has one kind of chain, or none, for all its life.
    if (changedApex !== undefined && denialOf(part(changedApex)) !== loaded.denial) {
      this.reload(head.name, apex, loaded.serial);
      return;
    }
    const signedSoa = owners.find(({ owner }) => owner === SOA_OWNER)?.records.at(0);
    const content = { apex, domainId: head.domainId, soa: soaContent(head, signedSoa, options) };
    if (!this.zones.update(content, changed.map(part)))
      log.warn({ zone: head.name }, 'zone dropped from memory: no room for the change');
  }

  /** The former image is served until the new content is loaded, beside it and from now on. */
  private reload(name: ZoneName, apex: DomainName, serial: number): void {
    if (this.former.add({ name, serial })) this.loads.reload(name, apex);
    else this.drop(name, apex);
  }

  private reportDamage(name: ZoneName, owner: OwnerKey): void {
    if (this.damaged.has(name) || this.damaged.size === MAX_REPORTED_ZONES) return;
    this.damaged.add(name);
    this.options.log.error({ zone: name, owner }, DAMAGED_ROW);
  }

  private drop(name: ZoneName, apex: DomainName): void {
    this.zones.drop(apex);
    this.former.delete(name);
  }

  /** Whether the load showed the new content or not, the former one is no longer served. */
  private endLoad(name: ZoneName, state: EndState): void {
    if (!this.former.has(name)) return;
    if (state === 'loaded') {
      this.former.delete(name);
      return;
    }
    this.drop(name, apexName(name));
    // There is more room without the former image.
    if (state === 'no room') this.loads.allow(name);
  }
}

function apexName(name: ZoneName): DomainName {
  const apex = parseDomainName(name);
  assert(apex.ok, `a stored domain's name is well-formed: ${name}`);
  return apex.value;
}
