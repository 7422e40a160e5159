// Fixtures of the store tests: a store with accounts, domains and records, and helpers that read all of its content. Each
// account and domain is new, so that many tests can share one store.
import { expect } from 'vitest';
import { assert } from '../../base/assert.ts';
import type { Clock } from '../../base/clock.ts';
import { encodeCharacterStrings } from '../../dns/character-strings.ts';
import { rrType } from '../../dns/codes.ts';
import type { Account, ApiKey } from '../../model/account.ts';
import type { Author, Command, CommandResult, CommandValues } from '../../writes/command.ts';
import type { Domain, ZoneName } from '../../model/domain.ts';
import type { DomainRecord, OwnerKey, SentRecord } from '../../model/record.ts';
import { formatTxtData } from '../../model/txt-data.ts';
import type { OwnerContent, ZoneUpdate } from '../../model/zone-update.ts';
import type { Page, PageRequest, Store, ZoneSource } from '../store.ts';
import type { Change } from '../../writes/change.ts';

export type OpenStore = Store & ZoneSource;

/** Opens a store; opened again after `close`, the store must have kept its content. */
export interface StoreFixture {
  open(): Promise<OpenStore>;
  /** Runs a statement on the tables, past the store. */
  query(sql: string): Promise<readonly unknown[]>;
  /** Marks the tables as written by a process of the previous version. */
  noteEarlierVersion(): Promise<unknown>;
  remove(): Promise<void>;
}

export const START_MS = Date.parse('2026-11-20T09:00:00Z');
export const START_SECONDS = START_MS / 1000;

/** Always returns the time of the test data, so that upkeep never expires them, whenever the tests run. */
export const sceneClock: Clock = { nowMs: () => START_MS };

let made = 0;

/** Returns rising ids in the form of UUIDv7. */
export function newId(): string {
  made++;
  return `0193a0b0-0000-7000-8000-${made.toString(16).padStart(12, '0')}`;
}

/** Returns an A record, unless `fields` says otherwise. */
export function newRecord(owner: string, lastOctet = 1, fields: Partial<DomainRecord> = {}): DomainRecord {
  const id = newId();
  const data = `192.0.2.${lastOctet}`;
  const rdata = Uint8Array.of(192, 0, 2, lastOctet);
  return {
    id,
    owner: owner.toLowerCase() as OwnerKey,
    name: owner,
    type: 1,
    data,
    priority: -1,
    ttl: 300,
    rdata,
    ...fields,
  };
}

/** Returns a TXT record as imported from a zone file. */
export function newTxtRecord(owner: string, content: Uint8Array): DomainRecord {
  const rdata = encodeCharacterStrings(content);
  return newRecord(owner, 1, { type: rrType.TXT, data: formatTxtData(content), rdata });
}

export class StoreScene {
  readonly store: OpenStore;
  readonly updates: ZoneUpdate[] = [];
  readonly accounts: Account[] = [];

  constructor(store: OpenStore) {
    this.store = store;
    store.onUpdate((updates) => this.updates.push(...updates.flatMap((update) => spellOut(update, store))));
  }

  async newAccount(): Promise<Tenant> {
    const account = {
      id: newId(),
      name: 'Example',
      email: 'owner@example.net',
      createdAtSeconds: START_SECONDS,
    };
    const key = newKey(account.id);
    await this.must({ kind: 'createAccount', account, key });
    this.accounts.push(account);
    return new Tenant(this, account, key);
  }

  /** Writes and returns the value; the write must not be refused. */
  async must<C extends Command>(command: C): Promise<CommandValues[C['kind']]> {
    return valueOf(await this.store.write(command));
  }

  /** Reads everything that the store serves, by domain name. */
  served(): Map<ZoneName, { serial: number; records: string[] }> {
    const zones = new Map<ZoneName, { serial: number; records: string[] }>();
    for (const name of allNames(this.store)) {
      const zone = this.store.readZone(name);
      assert(zone !== undefined, `${name} is hosted`);
      const records = Array.from(zone.records, ({ owner, type, ttl, rdata }) =>
        line(owner, type, ttl, rdata),
      );
      zones.set(name, { serial: zone.head.serial, records: records.sort() });
    }
    return zones;
  }
}

/** An account with an API key that makes the writes. */
export class Tenant {
  readonly scene: StoreScene;
  readonly account: Account;
  readonly key: ApiKey;
  nowMs = START_MS;

  constructor(scene: StoreScene, account: Account, key: ApiKey) {
    this.scene = scene;
    this.account = account;
    this.key = key;
  }

  get author(): Author {
    return { accountId: this.account.id, keyId: this.key.id, atMs: this.nowMs };
  }

  createDomain(name = newName(), nameservers: readonly DomainRecord[] = []): Promise<Domain> {
    return this.scene.must({ kind: 'createDomain', author: this.author, name, address: null, nameservers });
  }

  deleteDomain(name: ZoneName): Promise<null> {
    return this.scene.must({ kind: 'deleteDomain', author: this.author, name });
  }

  create(domain: ZoneName, record: SentRecord) {
    return this.scene.store.write({ kind: 'createRecord', author: this.author, domain, record });
  }

  delete(domain: ZoneName, recordId: string) {
    return this.scene.store.write({ kind: 'deleteRecord', author: this.author, domain, recordId });
  }

  update(domain: ZoneName, recordId: string, patch: { name?: string; data?: string; ttl?: number }) {
    const rules = { txtLimitBytes: 4096, defaultTtlSeconds: null };
    return this.scene.store.write({
      kind: 'updateRecord',
      author: this.author,
      domain,
      recordId,
      patch,
      rules,
    });
  }

  /** Reads the current row of a domain. */
  async get(name: ZoneName): Promise<Domain> {
    const domain = await this.scene.store.findDomain(this.account.id, name);
    assert(domain !== undefined, `${name} is there`);
    return domain;
  }
}

export function newKey(accountId: string): ApiKey {
  const id = newId();
  const hash = id.replaceAll('-', '').padEnd(64, '0');
  return { id, accountId, hash, scope: 'full', label: '', createdAtSeconds: START_SECONDS };
}

export function newName(): ZoneName {
  made++;
  return `d${made}.example` as ZoneName;
}

export function valueOf<T>(result: CommandResult<Command> | { ok: true; value: T } | { ok: false }): T {
  expect(result).toMatchObject({ ok: true });
  return (result as { value: T }).value;
}

/** Reads all pages of a list from one end to the other. */
export async function walk<T>(
  direction: PageRequest['direction'],
  limit: number,
  keyOf: (row: T) => string,
  read: (page: PageRequest) => Promise<Page<T>>,
): Promise<Page<T>[]> {
  const pages: Page<T>[] = [];
  let key: string | null = null;
  for (let goesOn = true; goesOn;) {
    const page: Page<T> = await read({ direction, key, limit });
    pages.push(page);
    const last = direction === 'after' ? page.rows.at(-1) : page.rows[0];
    goesOn = direction === 'after' ? page.hasAfter : page.hasBefore;
    key = last === undefined ? null : keyOf(last);
  }
  return pages;
}

export function allNames(store: OpenStore): ZoneName[] {
  const names: ZoneName[] = [];
  for (
    let page = store.hostedNames('', 7);
    page.length > 0;
    page = store.hostedNames(names.at(-1) ?? '', 7)
  ) {
    names.push(...page);
  }
  return names;
}

export async function allChanges(store: Pick<Store, 'changesAfter'>): Promise<Change[]> {
  const changes: Change[] = [];
  for (;;) {
    const page = await store.changesAfter(changes.at(-1)?.seq ?? 0, 100);
    if (page.length === 0) return changes;
    changes.push(...page);
  }
}

/** Returns the content that a follower of the feed has after all changes, in the form of `served()`. */
export function replayChanges(changes: readonly Change[]) {
  type Zone = { serial: number; readonly records: Map<string, string> };
  const zones = new Map<ZoneName, Zone>();
  const byId = new Map<number, Zone>();
  const withheld = new Set<number>();
  for (const { kind, domainId, domain, serial, record } of changes) {
    if (kind === 'domainDelete') {
      zones.delete(domain);
      continue;
    }
    const zone = byId.get(domainId) ?? { serial, records: new Map<string, string>() };
    byId.set(domainId, zone);
    if (kind === 'domainWithhold') withheld.add(domainId);
    if (kind === 'domainRelease') withheld.delete(domainId);
    if (withheld.has(domainId)) zones.delete(domain);
    else zones.set(domain, zone);
    zone.serial = serial;
    if (kind === 'recordPut' && record !== null) zone.records.set(record.id, recordLine(record));
    if (kind === 'recordDelete' && record !== null) {
      expect(zone.records.get(record.id), 'a removed row was there, just so').toBe(recordLine(record));
      zone.records.delete(record.id);
    }
  }
  return withSortedRecords(zones, (zone) => [...zone.records.values()]);
}

/** Replaces updates that ask for reading a zone again by the current content of the zone. */
function spellOut(update: ZoneUpdate, store: OpenStore): ZoneUpdate[] {
  if (update.kind !== 'replaced') return [update];
  const { head } = update;
  const owners = new Map<OwnerKey, OwnerContent['records'][number][]>();
  for (const { owner, ...record } of store.readZone(head.name)?.records ?? []) {
    owners.set(owner, [...(owners.get(owner) ?? []), record]);
  }
  const contents = Array.from(owners, ([owner, records]) => ({ owner, records }));
  return [
    { kind: 'deleted', domainId: head.domainId, name: head.name },
    { kind: 'changed', head, created: true, owners: contents },
  ];
}

/** Returns the content that a follower of zone updates has after all of them, in the form of `served()`. */
export function replayUpdates(updates: readonly ZoneUpdate[]) {
  const zones = new Map<ZoneName, { serial: number; owners: Map<OwnerKey, OwnerContent['records']> }>();
  for (const update of updates) {
    if (update.kind === 'deleted') {
      zones.delete(update.name);
      continue;
    }
    assert(update.kind === 'changed', 'others are spelt out');
    const { name, serial } = update.head;
    expect(update.created, `${name} is new to the follower`).toBe(!zones.has(name));
    const owners = zones.get(name)?.owners ?? new Map<OwnerKey, OwnerContent['records']>();
    for (const { owner, records } of update.owners) owners.set(owner, records);
    zones.set(name, { serial, owners });
  }
  return withSortedRecords(zones, ({ owners }) =>
    [...owners].flatMap(([owner, records]) =>
      records.map(({ type, ttl, rdata }) => line(owner, type, ttl, rdata)),
    ),
  );
}

function withSortedRecords<Zone extends { serial: number }>(
  zones: ReadonlyMap<ZoneName, Zone>,
  recordsOf: (zone: Zone) => string[],
) {
  return new Map(
    Array.from(zones, ([name, zone]) => [name, { serial: zone.serial, records: recordsOf(zone).sort() }]),
  );
}

function recordLine({ owner, type, ttl, rdata }: DomainRecord): string {
  return line(owner, type, ttl, rdata);
}

function line(owner: OwnerKey, type: number, ttl: number, rdata: Uint8Array): string {
  return `${owner} ${ttl} ${type} ${Buffer.from(rdata).toString('hex')}`;
}
