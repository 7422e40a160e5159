/**
 * Keeps the zone space equal to what the store holds: hears of every committed batch before its writers are answered,
 * patches the zones it touched that are loaded, and loads others when a query needs them. Never writes to the store.
 *
 *     store ─ updates, rows ─▶ publisher ─ images ─▶ zone space ◀─ nameserver threads
 */

import { assert } from '../base/assert.ts';
import type { Log } from '../base/log.ts';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import type { ZoneName } from '../model/domain.ts';
import { ownerDomainName } from '../model/record-name.ts';
import type { SoaDefaults } from '../model/soa.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import type { ZoneSource } from '../store/store.ts';
import { ZoneMemory } from '../zone/zone-memory.ts';
import { createZoneSpace } from '../zone/zone-space.ts';
import { ownerSets, readOwners, soaContent } from './served-content.ts';

/** Names read from the store at a time when the directory is filled at start. */
const NAMES_PER_READ = 10_000;
/** A load that failed is tried again after this many times as long as it took: every query for the zone asks for it. */
const RETRY_AFTER_TIMES = 19;

export interface PublisherOptions {
  readonly source: ZoneSource;
  /** Size of the zone space; zone images and the directory of hosted names stay within it. */
  readonly memoryBytes: number;
  readonly soa: SoaDefaults;
  /** Threads that answer from the space. */
  readonly readers: number;
  /** 32 bits that outsiders can't guess. */
  readonly seed: number;
  readonly log: Log;
}

export interface Publisher {
  /** The zone space; nameserver threads open it. */
  readonly memory: SharedArrayBuffer;
  /** Loads the zone of that name if it is hosted and not in memory. Failures are logged; the zone stays unloaded. */
  loadZone(name: string): void;
  /** Bytes of the space in use. */
  usedBytes(): number;
  /** Nothing is published from here on. */
  close(): void;
}

/** Returns when every hosted name is known. */
export function startPublisher(options: PublisherOptions): Publisher {
  const space = createZoneSpace(options.memoryBytes, options.readers, options.seed);
  const publishing = new Publishing(options, new ZoneMemory(space));
  return {
    memory: space.memory,
    loadZone: (name) => publishing.load(name as ZoneName),
    usedBytes: () => publishing.zones.usedBytes,
    close: () => publishing.close(),
  };
}

class Publishing {
  readonly zones: ZoneMemory;
  private readonly options: PublisherOptions;
  private closed = false;
  /** When zones that could not be loaded may be tried again, by their names. */
  private readonly retryAtMs = new Map<ZoneName, number>();

  constructor(options: PublisherOptions, zones: ZoneMemory) {
    this.options = options;
    this.zones = zones;
    options.source.onUpdate((updates) => this.apply(updates));
    this.hostAll();
  }

  close(): void {
    this.closed = true;
  }

  load(name: ZoneName): void {
    const { source, soa, log } = this.options;
    const apex = apexName(name);
    if (this.closed || !this.zones.isHosted(apex) || this.zones.findLoaded(apex) !== undefined) return;
    const startMs = performance.now();
    if (startMs < (this.retryAtMs.get(name) ?? 0)) return;
    this.retryAtMs.delete(name);
    try {
      const snapshot = source.readZone(name);
      if (snapshot === undefined) return;
      const content = { apex, domainId: snapshot.head.domainId, soa: soaContent(snapshot.head, soa) };
      if (this.zones.load(content, readOwners(snapshot, soa))) return;
      log.error({ zone: name }, 'the zone does not fit into the zone memory');
    } catch (error) {
      log.error({ zone: name, err: error }, 'a zone could not be loaded');
    }
    const endMs = performance.now();
    this.retryAtMs.set(name, endMs + RETRY_AFTER_TIMES * (endMs - startMs));
  }

  private hostAll(): void {
    this.zones.reserve(this.options.source.hostedCount());
    let names: readonly ZoneName[];
    let last = '';
    do {
      names = this.options.source.hostedNames(last, NAMES_PER_READ);
      this.zones.hostAll(names);
      last = names.at(-1) ?? last;
    } while (names.length === NAMES_PER_READ);
  }

  private apply(updates: readonly ZoneUpdate[]): void {
    if (this.closed) return;
    for (const update of updates) {
      const name = update.kind === 'deleted' ? update.name : update.head.name;
      try {
        this.applyOne(apexName(name), update);
      } catch (error) {
        // The image may be half-way: without it, the next query loads the zone as the store has it.
        this.options.log.error(
          { zone: name, err: error },
          'a change could not be published; the zone is loaded anew',
        );
        this.zones.drop(apexName(name));
      }
    }
  }

  private applyOne(apex: DomainName, update: ZoneUpdate): void {
    if (update.kind === 'deleted') {
      this.zones.forget(apex);
      this.retryAtMs.delete(update.name);
      return;
    }
    // Also where the directory had no room when the domain was created.
    this.zones.host(apex);
    if (update.kind === 'replaced') {
      this.zones.drop(apex);
      return;
    }
    const { head, owners } = update;
    const loaded = this.zones.findLoaded(apex);
    if (loaded === undefined) return;
    if (loaded.domainId !== head.domainId) {
      this.zones.drop(apex);
      return;
    }
    if (!isNewer(head.serial, loaded.serial)) return;
    const { soa, log } = this.options;
    const content = { apex, domainId: head.domainId, soa: soaContent(head, soa) };
    const changed = owners.map(({ owner, records }) => ({
      owner: ownerDomainName(owner, head.name),
      sets: ownerSets(owner, records, soa),
    }));
    if (!this.zones.update(content, changed)) log.warn({ zone: head.name }, 'the zone left memory: no room');
  }
}

/** RFC 1982 section 3.2. */
function isNewer(serial: number, than: number): boolean {
  return ((serial - than) | 0) > 0;
}

function apexName(name: ZoneName): DomainName {
  const apex = parseDomainName(name);
  assert(apex.ok, `a stored domain's name is well-formed: ${name}`);
  return apex.value;
}
