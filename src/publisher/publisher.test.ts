import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode, encode } from 'dns-packet';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import type { Author } from '../writes/command.ts';
import type { ZoneName } from '../model/domain.ts';
import { parseRecord } from '../model/parse-record.ts';
import type { DomainRecord } from '../model/record.ts';
import { createAnswerer } from '../nameserver/query/query-pipeline.ts';
import { NEEDS_ZONE, type Answerer } from '../nameserver/query/answerer.ts';
import { createIdSource } from '../operations/new-id.ts';
import { openServedStore, type ServedStore } from '../store/suite/served-store.test-support.ts';
import type { ZoneSource } from '../store/store.ts';
import { startPublisher, type Publisher } from './publisher.ts';

const zone = 'example.com' as ZoneName;
const soa = { nameservers: ['ns1.example.net', 'ns2.example.net'], mailbox: 'hostmaster@example.net' };
const rules = { txtLimitBytes: 4096, defaultTtlSeconds: null };

const newId = createIdSource(systemClock);

let folder: string;
let store: ServedStore;
let publisher: Publisher;
let zonesRead: number;
let loads: { done: number; failed: number };
let answerer: Answerer;
let author: Author;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-publisher-'));
  await open();
  const account = { id: newId(), name: 'test', email: 'test@example.com', createdAtSeconds: 1 };
  const key = { id: newId(), accountId: account.id, hash: '0'.repeat(64), scope: 'full', label: '' } as const;
  await store.write({ kind: 'createAccount', account, key: { ...key, createdAtSeconds: 1 } });
  author = { accountId: account.id, keyId: key.id, atMs: systemClock.nowMs() };
  await store.write({ kind: 'createDomain', author, name: zone, address: null, nameservers: [] });
});

afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

async function open(memoryBytes = 2 ** 20, knowsNames = true): Promise<void> {
  store = await openServedStore({ folder, clock: systemClock, log: silentLog });
  zonesRead = 0;
  loads = { done: 0, failed: 0 };
  const source: ZoneSource = {
    onUpdate: (listener) => store.onUpdate(listener),
    readZone: (name) => {
      zonesRead++;
      return store.readZone(name);
    },
    accountOf: (name) => store.accountOf(name),
    hostedCount: () => store.hostedCount(),
    hostedNames: (after, limit) => (knowsNames ? store.hostedNames(after, limit) : []),
  };
  const observer = { zoneLoaded: () => loads.done++, zoneLoadFailed: () => loads.failed++ };
  const loading = { slicedFromRecords: Infinity, slicedFromBytes: Infinity };
  const settings = { source, memoryBytes, soa, readers: 1, seed: 5, log: silentLog, observer, loading };
  publisher = startPublisher(settings);
  answerer = createAnswerer({ memory: publisher.memory, reader: 0 });
}

async function close(): Promise<void> {
  publisher.close();
  await store.close();
}

async function create(name: string, type: string, data: string, ttl = 300): Promise<DomainRecord> {
  const parsed = parseRecord({ type, name, data, ttl }, zone, rules);
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  const record = { id: newId(), ...parsed.value };
  const outcome = await store.write({ kind: 'createRecord', author, domain: zone, record });
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  return outcome.value;
}

async function remove(record: DomainRecord): Promise<void> {
  await store.write({ kind: 'deleteRecord', author, domain: zone, recordId: record.id });
}

async function withhold(kind: 'withholdDomains' | 'releaseDomains', name: ZoneName): Promise<void> {
  const domain = await store.findDomain(author.accountId, name);
  if (domain === undefined) throw new Error(`${name} is unknown`);
  const result = await store.write({ kind, author, reason: 'suspended', domains: [domain] });
  expect(result).toMatchObject({ ok: true, changed: true });
}

/** Sends a query, and loads the zone if the answerer needs it, as a nameserver thread does. */
function ask(name: string, type: string): { rcode: string; data: unknown[]; ttls: number[]; serial: number } {
  const query = encode({ type: 'query', id: 1, questions: [{ name, type }] });
  const buffer = new Uint8Array(65_535);
  for (let tries = 0; tries < 2; tries++) {
    buffer.set(query);
    const length = answerer.answer(buffer, 0, query.length, buffer.length, true);
    if (length === NEEDS_ZONE) {
      expect(publisher.loadZone(answerer.neededZone())).toBe(undefined);
      continue;
    }
    const { rcode, answers, authorities } = decode(Buffer.from(buffer.slice(0, length)));
    return {
      rcode,
      data: answers.map((answer) => answer.data).sort(),
      ttls: answers.map((answer) => answer.ttl),
      serial: (authorities[0]?.data as { serial?: number } | undefined)?.serial ?? 0,
    };
  }
  return { rcode: 'NEEDS_ZONE', data: [], ttls: [], serial: 0 };
}

test('a new record is served at once, and no longer after it is deleted', async () => {
  expect(ask('www.example.com', 'A').rcode).toBe('NXDOMAIN');
  const record = await create('www', 'A', '192.0.2.1');
  expect(ask('www.example.com', 'A')).toMatchObject({ rcode: 'NOERROR', data: ['192.0.2.1'], ttls: [300] });
  await remove(record);
  expect(ask('www.example.com', 'A').rcode).toBe('NXDOMAIN');
});

test('a withheld domain is answered like one that is not hosted, until it is released', async () => {
  await create('www', 'A', '192.0.2.1');
  expect(ask('www.example.com', 'A').rcode).toBe('NOERROR');
  await withhold('withholdDomains', zone);
  expect([ask('www.example.com', 'A').rcode, ask('example.com', 'SOA').rcode]).toEqual([
    'REFUSED',
    'REFUSED',
  ]);
  await create('www', 'A', '192.0.2.2');
  expect(ask('www.example.com', 'A').rcode).toBe('REFUSED');
  await close();
  await open();
  expect([ask('www.example.com', 'A').rcode, publisher.figures().hosted]).toEqual(['REFUSED', 0]);
  await withhold('releaseDomains', zone);
  expect(ask('www.example.com', 'A').data).toEqual(['192.0.2.1', '192.0.2.2']);
});

test('where a domain inside a hosted one is withheld, the hosted one answers as if it were not there', async () => {
  const inner = 'sub.example.com' as ZoneName;
  await store.write({ kind: 'createDomain', author, name: inner, address: null, nameservers: [] });
  await create('www.sub', 'A', '192.0.2.1');
  expect(ask('www.sub.example.com', 'A').rcode).toBe('NXDOMAIN');
  await withhold('withholdDomains', inner);
  expect(ask('www.sub.example.com', 'A')).toMatchObject({ rcode: 'NOERROR', data: ['192.0.2.1'] });
  expect(ask('other.sub.example.com', 'A').rcode).toBe('NXDOMAIN');
  await withhold('releaseDomains', inner);
  expect(ask('www.sub.example.com', 'A').rcode).toBe('NXDOMAIN');
  await withhold('withholdDomains', zone);
  expect([ask('www.example.com', 'A').rcode, ask('sub.example.com', 'SOA').rcode]).toEqual([
    'REFUSED',
    'NOERROR',
  ]);
});

test('records of one owner and type are one set with the lowest TTL, in whatever order they were created', async () => {
  const both = ['192.0.2.1', '192.0.2.2'];
  await create('www', 'A', '192.0.2.1', 600);
  await create('other', 'A', '192.0.2.3');
  await create('www', 'A', '192.0.2.2', 60);
  expect(ask('www.example.com', 'A')).toMatchObject({ data: both, ttls: [60, 60] });
  await close();
  await open();
  expect(ask('www.example.com', 'A')).toMatchObject({ data: both, ttls: [60, 60] });
  expect(ask('other.example.com', 'A').data).toEqual(['192.0.2.3']);
});

test('a domain without NS records is served with the configured ones', async () => {
  expect(ask('example.com', 'NS').data).toEqual(['ns1.example.net', 'ns2.example.net']);
  const own = await create('', 'NS', 'ns.example.org');
  expect(ask('example.com', 'NS').data).toEqual(['ns.example.org']);
  await remove(own);
  expect(ask('example.com', 'NS').data).toEqual(['ns1.example.net', 'ns2.example.net']);
});

test('the serial in the SOA record rises with every batch, whether the zone is loaded or updated', async () => {
  const first = ask('nothing.example.com', 'A').serial;
  await create('www', 'A', '192.0.2.1');
  expect(ask('nothing.example.com', 'A').serial).toBe(first + 1);
  await close();
  await open();
  expect(ask('nothing.example.com', 'A').serial).toBe(first + 1);
});

test('queries for a deleted domain are refused, and a new domain of that name starts empty', async () => {
  await create('www', 'A', '192.0.2.1');
  expect(ask('www.example.com', 'A').rcode).toBe('NOERROR');
  await store.write({ kind: 'deleteDomain', author, name: zone });
  expect(ask('www.example.com', 'A').rcode).toBe('REFUSED');
  await store.write({ kind: 'createDomain', author, name: zone, address: null, nameservers: [] });
  expect(ask('www.example.com', 'A').rcode).toBe('NXDOMAIN');
});

test('a domain that one batch deletes and creates again is served in its new state', async () => {
  await create('www', 'A', '192.0.2.1');
  ask('www.example.com', 'A');
  const domain = { kind: 'createDomain', author, name: zone, address: null, nameservers: [] } as const;
  await Promise.all([store.write({ kind: 'deleteDomain', author, name: zone }), store.write(domain)]);
  expect(ask('www.example.com', 'A').rcode).toBe('NXDOMAIN');
  await Promise.all([store.write({ kind: 'deleteDomain', author, name: zone }), store.write(domain)]);
  const record = create('new', 'A', '192.0.2.2');
  await Promise.all([record, store.write({ kind: 'deleteDomain', author, name: zone })]);
  expect(ask('new.example.com', 'A').rcode).toBe('REFUSED');
});

test('a domain that found no room in the directory is served from its next change on', async () => {
  await close();
  await open(2 ** 20, false);
  expect(ask('www.example.com', 'A').rcode).toBe('REFUSED');
  await create('www', 'A', '192.0.2.1');
  expect(ask('www.example.com', 'A').data).toEqual(['192.0.2.1']);
});

test('a zone that no longer fits into memory is not answered from old data', async () => {
  await close();
  await open(2 ** 20);
  const text = `"${'x'.repeat(4000)}"`;
  expect(ask('example.com', 'NS').rcode).toBe('NOERROR');
  await Promise.all(Array.from({ length: 300 }, (_, i) => create(`n${i}`, 'TXT', text)));
  expect(ask('n299.example.com', 'TXT').rcode).toBe('NEEDS_ZONE');
  const readBefore = zonesRead;
  for (let i = 0; i < 200; i++) ask('n299.example.com', 'TXT');
  // Each query requests the zone once or twice; reading it each time would leave no time for other work.
  expect(zonesRead - readBefore).toBeLessThan(20);
  expect(loads.done).toBe(1);
  expect(loads.failed).toBe(zonesRead - 1);
  expect(publisher.figures()).toMatchObject({ hosted: 1, loaded: 0, limitBytes: 2 ** 20 });
});
