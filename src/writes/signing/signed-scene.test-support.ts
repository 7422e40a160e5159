import { assert } from '../../base/assert.ts';
import { HashSum } from '../../base/hash-sum.ts';
import { finishSteps } from '../../base/steps.ts';
import type { Denial } from '../../dns/proven-types.ts';
import { openKeySecrets } from '../../dnssec/key-secrets.ts';
import { createZoneKey, exportPrivateKey, sealZoneKey } from '../../dnssec/private-key.ts';
import { isRsa, type MadeAlgorithm, type SigningAlgorithm, type ZoneKey } from '../../dnssec/zone-key.ts';
import { createZoneSigner } from '../../dnssec/zone-signer.ts';
import type { DeletedDomain, HashedDomain } from '../../model/domain.ts';
import type { DomainRecord } from '../../model/record.ts';
import { addRecord } from '../../model/zone-hash.ts';
import type { BatchWrites, Counters } from '../batch-writes.ts';
import type { Command, CommandResult } from '../command.ts';
import { author, record, storedZone, zone } from '../decide-scene.test-support.ts';
import type { FeedEntry } from '../history.ts';
import { PendingBatch } from '../pending-batch.ts';
import { noCounters, readMemoryRows } from '../row-reader.test-support.ts';
import { runBatch } from '../run-batch.ts';
import type { BatchSigning } from './batch-signing.ts';
import { newKeyPair } from '../../dnssec/key-pair.test-support.ts';

export const START_SECONDS = 1_795_000_000;
export const soa = {
  nameservers: ['ns1.service.example', 'ns2.service.example'],
  mailbox: 'hostmaster@service.example',
};
const secrets = openKeySecrets(['a secret of more than 32 characters']);
const signer = createZoneSigner(secrets);

let newKeys = 0;
/** Keys of a domain never have the same tag; here no two keys of a process have it. */
const madeKeys: ZoneKey[] = [];

export function newZoneKey(algorithm: MadeAlgorithm = 15): ZoneKey {
  const id = `key-${++newKeys}`;
  const key = createZoneKey({ id, algorithm, createdAtSeconds: START_SECONDS }, secrets, madeKeys);
  madeKeys.push(key);
  return key;
}

/** A key that was made elsewhere. */
export function newImportedKey(algorithm: SigningAlgorithm): ZoneKey {
  if (!isRsa(algorithm)) return { ...newZoneKey(algorithm), origin: 'imported' };
  const { privateKey } = newKeyPair('rsa', { modulusLength: 2048 });
  const about = { id: `key-${++newKeys}`, createdAtSeconds: START_SECONDS, origin: 'imported' } as const;
  return sealZoneKey(about, exportPrivateKey(privateKey, algorithm), secrets);
}

/** Whole domains of tests are signed in one go, unless they say otherwise. */
const allAtOnce = { namesAtOnce: 1_000_000, names: 1000 };

/** A store in memory with the domain `example.com`, to which batches are committed as an engine does. */
export class SignedScene {
  nowSeconds = START_SECONDS;
  /** Signs by default. */
  signing: Omit<BatchSigning, 'nowSeconds'> | undefined = { signer, soa, limits: allAtOnce };
  private domains = new Map<number, HashedDomain>();
  private deleted: DeletedDomain[] = [];
  private readonly rows = new Map<number, Map<string, DomainRecord>>();
  private keys: { readonly domainId: number; readonly key: ZoneKey }[] = [];
  private counters: Counters = { ...noCounters, lastDomainId: storedZone.id };
  private newIds = 0;

  constructor(lines: readonly string[] = ['@ NS ns1.example.net']) {
    const records = lines.map((line) => this.newRecord(line));
    this.rows.set(storedZone.id, new Map(records.map((stored) => [stored.id, stored])));
    const contentHash = hashOf(records);
    this.domains.set(storedZone.id, { ...storedZone, recordCount: records.length, contentHash });
  }

  newRecord(text: string, ttl = 300): DomainRecord {
    return record(`r${String(++this.newIds).padStart(6, '0')}`, text, { ttl });
  }

  get domain(): HashedDomain | undefined {
    return [...this.domains.values()].find(({ name }) => name === zone);
  }

  /** Every row of the domain, by id. */
  get stored(): DomainRecord[] {
    const { domain } = this;
    if (domain === undefined) return [];
    return [...(this.rows.get(domain.id)?.values() ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  get customers(): DomainRecord[] {
    return this.stored.filter(({ id }) => !id.startsWith('~'));
  }

  get zoneKeys(): ZoneKey[] {
    return this.keys.map(({ key }) => key);
  }

  enable(denial: Denial, key = newZoneKey()): void {
    const command = {
      kind: 'updateDomain',
      author,
      name: zone,
      dnsSec: { wanted: 'enabled', denial, key },
    } as const;
    const [result] = this.run(command);
    assert(result.ok, 'signing is switched on');
  }

  create(...lines: readonly string[]): CommandResult<Command>[] {
    return this.run(
      ...lines.map(
        (line) => ({ kind: 'createRecord', author, domain: zone, record: this.newRecord(line) }) as const,
      ),
    );
  }

  /** The first record of that name and type. */
  find(name: string, type: number): DomainRecord {
    const found = this.customers.find((stored) => stored.owner === name && stored.type === type);
    assert(found !== undefined, `the zone has ${name} of type ${type}`);
    return found;
  }

  remove(...records: readonly DomainRecord[]): CommandResult<Command>[] {
    return this.run(
      ...records.map(({ id }) => ({ kind: 'deleteRecord', author, domain: zone, recordId: id }) as const),
    );
  }

  /** Runs commands as few batches as possible; a bug of ours is thrown. */
  run(...commands: readonly Command[]): CommandResult<Command>[] {
    const results: CommandResult<Command>[] = [];
    while (results.length < commands.length) {
      results.push(...this.runBatch(commands.slice(results.length)).results);
    }
    return results;
  }

  runBatch(commands: readonly Command[]): {
    results: CommandResult<Command>[];
    batch: PendingBatch;
    writes: BatchWrites;
  } {
    const signing = this.signing && { ...this.signing, nowSeconds: this.nowSeconds };
    const batch = new PendingBatch(this.reader(), this.counters, undefined, true, signing);
    const decisions = finishSteps(runBatch(commands, batch, () => false));
    const results = decisions.map((decision) => {
      assert(decision.kind === 'decided', decision.kind === 'failed' ? decision.message : '');
      return decision.result;
    });
    const writes = batch.finish();
    this.commit(writes);
    return { results, batch, writes };
  }

  /** Signs domains of more names in slices of so many. */
  limit(namesAtOnce: number, names: number): void {
    if (this.signing !== undefined) this.signing = { ...this.signing, limits: { namesAtOnce, names } };
  }

  /** Takes one slice; returns false if no work is left. */
  takeSlice(): boolean {
    const work = this.domain?.signingWork ?? null;
    if (work === null) return false;
    const [result] = this.run({ kind: 'signSlice', domain: zone, work });
    assert(result.ok && result.changed, 'a slice is taken');
    return true;
  }

  /** The rows that the domain would have if it were signed now, with its keys. */
  signedAgain(): DomainRecord[] {
    const { domain } = this;
    const [key] = this.zoneKeys;
    assert(domain !== undefined && domain.denial !== null, 'the domain is signed');
    const other = new SignedScene([]);
    other.nowSeconds = this.nowSeconds;
    other.domains.set(domain.id, { ...domain, denial: null, contentHash: hashOf(this.customers) });
    other.rows.set(domain.id, new Map(this.customers.map((row) => [row.id, row])));
    other.enable(domain.denial, key);
    return other.stored;
  }

  private reader() {
    const records: Record<number, DomainRecord[]> = {};
    for (const [id, rows] of this.rows) records[id] = [...rows.values()];
    const zoneKeys: Record<number, ZoneKey[]> = {};
    for (const { domainId, key } of this.keys) (zoneKeys[domainId] ??= []).push(key);
    return readMemoryRows({
      domains: [...this.domains.values()],
      deletedDomains: this.deleted,
      records,
      zoneKeys,
    });
  }

  private commit(writes: BatchWrites): void {
    const before = new Map(Array.from(this.rows, ([id, rows]) => [id, [...rows.values()]]));
    this.counters = writes.counters ?? this.counters;
    this.deleted = this.deleted.filter(({ id }) => !writes.restoredDomainIds.includes(id));
    for (const domain of writes.deletedDomains) {
      this.deleted.push(domain);
      this.domains.delete(domain.id);
    }
    for (const domain of [...writes.createdDomains, ...writes.changedDomains])
      this.domains.set(domain.id, domain);
    for (const { domainId, record: row } of writes.createdRecords) {
      assert(!this.rowsOf(domainId).has(row.id), `${row.id} is new`);
      this.rowsOf(domainId).set(row.id, row);
    }
    for (const { domainId, record: row } of writes.changedRecords) {
      assert(this.rowsOf(domainId).has(row.id), `${row.id} exists`);
      this.rowsOf(domainId).set(row.id, row);
    }
    for (const { domainId, record: row } of writes.deletedRecords) {
      assert(this.rowsOf(domainId).delete(row.id), `${row.id} exists`);
    }
    this.keys = this.keys.filter(({ key }) => !writes.deletedZoneKeys.some(({ id }) => id === key.id));
    this.keys.push(...writes.createdZoneKeys);
    for (const [id, rows] of this.rows) checkFollowed(before.get(id) ?? [], writes.changes, id, rows);
  }

  private rowsOf(domainId: number): Map<string, DomainRecord> {
    const known = this.rows.get(domainId) ?? new Map<string, DomainRecord>();
    this.rows.set(domainId, known);
    return known;
  }
}

/** A follower that applies the feed has the rows that were written. */
function checkFollowed(
  before: readonly DomainRecord[],
  changes: readonly FeedEntry[],
  domainId: number,
  after: ReadonlyMap<string, DomainRecord>,
): void {
  const copy = new Map(before.map((row) => [row.id, row]));
  for (const change of changes) {
    if (change.domainId !== domainId || change.record === null) continue;
    const { id } = change.record;
    if (change.kind === 'recordPut') assert(!copy.has(id), `${id} is put once`);
    else assert(copy.has(id), `${id} exists before it is deleted`);
    if (change.kind === 'recordPut') copy.set(id, change.record);
    else copy.delete(id);
  }
  assert(hashOf([...copy.values()]) === hashOf([...after.values()]), 'the feed has all changes of rows');
}

export function hashOf(rows: readonly DomainRecord[]): string {
  const sum = new HashSum();
  for (const row of rows) addRecord(sum, row);
  return sum.toString();
}
