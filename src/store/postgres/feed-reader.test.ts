import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import type { Domain, ZoneName } from '../../model/domain.ts';
import { START_MS, StoreScene, newName, newRecord, type Tenant } from '../suite/store-scene.test-support.ts';
import { openFeedReader, type FeedPage, type FeedPosition, type FeedReader } from './feed-reader.ts';
import { connectPostgres } from './postgres-connection.ts';
import type { PositionReport } from './position-report.ts';
import { newPostgres, openStore, withoutZones } from './postgres-scene.test-support.ts';
import type { PostgresStore } from './postgres-store.ts';
import { runUpkeep } from './postgres-upkeep.ts';
import { writerLimits } from './postgres-writer.ts';
import type { Change } from '../../writes/change.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';

const NO_BATCH = '00000000-0000-4000-8000-000000000000';

let database: Awaited<ReturnType<typeof newPostgres>>;
let store: PostgresStore;
let reader: FeedReader;
let tenant: Tenant;
const onWake = vi.fn();

beforeEach(async () => {
  database = await newPostgres();
  store = await openStore(database.address, { clock: { nowMs: () => START_MS } });
  reader = openFeedReader({ address: database.address, clock: systemClock, log: silentLog, onWake });
  tenant = await new StoreScene(withoutZones(store)).newAccount();
});

afterEach(async () => {
  await reader.close();
  await store.close();
  await database.remove();
});

test('a database without tables is reported as such', async () => {
  const empty = await newPostgres();
  const early = openFeedReader({ address: empty.address, clock: systemClock, log: silentLog, onWake });
  await expect(early.read({ seq: 1, batch: NO_BATCH }, 100)).rejects.toThrow(
    'the database has no tables yet: a process of role both or api creates them when it starts',
  );
  await early.close();
  await empty.remove();
});

test('tables of a newer version are refused at each new connection', async () => {
  await reader.read(await end(), 1);
  const administrator = await connectPostgres(database.address, writerLimits);
  await administrator.query("INSERT INTO zonewright_schema VALUES (99, 'newer', 0)");
  await administrator.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await administrator.close();
  const newer = 'has tables of version 99, this program knows versions up to';
  const position = { seq: 0, batch: NO_BATCH };
  await expect.poll(() => reader.read(position, 1).then(String, String)).toContain(newer);
  await expect(reader.snapshot(() => Promise.resolve())).rejects.toThrow(newer);
  await expect(tenant.createDomain()).rejects.toThrow(newer);
  const { id: accountId } = tenant.account;
  const page = { direction: 'after', key: null, limit: 1 } as const;
  for (const read of [
    () => store.findAccount(accountId),
    () => store.listDeletedDomains(accountId, page),
    () => store.openZoneView(accountId, newName()),
  ]) {
    const error = await read().then(String, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(String(error)).toContain(newer);
  }
  const times = { nowMs: START_MS, historyStartMs: START_MS, trailStartMs: 0 };
  await expect(
    runUpkeep(
      database.address,
      () => ({ times: times, trustedMs: null }),
      () => false,
    ),
  ).rejects.toThrow(newer);
});

describe('the feed', () => {
  test('is read in whole batches, at least one and within the requested number of changes', async () => {
    const start = await end();
    const domain = await tenant.createDomain(newName(), [newRecord(''), newRecord('', 2)]);
    await tenant.create(domain.name, newRecord('a'));
    await tenant.create(domain.name, newRecord('b'));
    const sizes = async (maxChanges: number) =>
      batchesOf(await reader.read(start, maxChanges)).map(({ changes }) => changes.length);
    expect([await sizes(1), await sizes(3), await sizes(4), await sizes(100)]).toEqual([
      [3],
      [3],
      [3, 1],
      [3, 1, 1],
    ]);
    const [first, ...rest] = batchesOf(await reader.read(start, 100));
    expect(batchesOf(await reader.read(first.position, 100))).toEqual(rest);
    const all = [first, ...rest].flatMap(({ changes }) => changes);
    expect(all).toMatchObject(await store.changesAfter(start.seq, 100));
    expect(all[0].accountId).toBe(tenant.author.accountId);
    const last = rest[1].position;
    expect(last).toEqual(await end());
    expect(await reader.read(last, 100)).toMatchObject({ kind: 'batches', batches: [], lastSeq: last.seq });
  });

  test('leaves out the record entries of a domain that are more than requested in one batch', async () => {
    const start = await end();
    const records = Array.from({ length: 10 }, (_, i) => newRecord(`a${i}`));
    const large = await tenant.createDomain(newName(), records);
    await tenant.create(large.name, newRecord('later'));
    const whole = batchesOf(await reader.read(start, 1));
    const read = async (maxRun: number) => batchesOf(await reader.read(start, 1, maxRun));
    expect(await read(100)).toEqual(whole);
    expect(await read(10)).toEqual(whole);
    const [batch] = whole;
    const isLeftOut = ({ kind, domainId }: Change): boolean => kind === 'recordPut' && domainId === large.id;
    const last = batch.changes.findLast(isLeftOut);
    const changes = batch.changes.filter((change) => !isLeftOut(change));
    const run = { domainId: large.id, domain: large.name, seq: last?.seq };
    expect(await read(9)).toEqual([{ ...batch, changes, skipped: [run] }]);
    expect(changes.map(({ kind }) => kind)).toEqual(['domainPut']);
  });

  test('is gone if entries of a batch that are left out are missing', async () => {
    const start = await end();
    const records = Array.from({ length: 10 }, (_, i) => newRecord(`a${i}`));
    const { id } = await tenant.createDomain(newName(), records);
    const administrator = await connectPostgres(database.address, writerLimits);
    await administrator.query(`DELETE FROM changes WHERE domain_id = ${id} AND owner = 'a5'`);
    await administrator.close();
    expect(await reader.read(start, 1, 5)).toMatchObject({ kind: 'gone', missing: 'changes' });
    expect(await reader.read(start, 100)).toMatchObject({ kind: 'gone', missing: 'changes' });
  });

  test.each<[string, (known: FeedPosition) => FeedPosition]>([
    ['of another batch at that seq', ({ seq }) => ({ seq, batch: NO_BATCH })],
    ['in the middle of a batch', ({ seq, batch }) => ({ seq: seq - 1, batch })],
    ['beyond the end', ({ seq, batch }) => ({ seq: seq + 1, batch })],
  ])('is gone for a position %s', async (_, alter) => {
    await tenant.createDomain(newName(), [newRecord('')]);
    const { seq, batch } = await end();
    expect(await reader.read(alter({ seq, batch }), 100)).toEqual({
      kind: 'gone',
      missing: 'position',
      lastSeq: seq,
    });
  });

  test('is gone for a position before the kept history, and continues from the last pruned batch', async () => {
    const start = await end();
    const { name } = await tenant.createDomain(newName(), [newRecord('')]);
    const old = await end();
    tenant.nowMs = START_MS + 10;
    await tenant.create(name, newRecord('www'));
    await runUpkeep(
      database.address,
      () => ({ times: { nowMs: START_MS, historyStartMs: START_MS + 5, trailStartMs: 0 }, trustedMs: null }),
      () => false,
    );
    expect(await reader.read(start, 100)).toMatchObject({ kind: 'gone', missing: 'position' });
    expect(batchesOf(await reader.read(old, 100))).toMatchObject([{ changes: [{ kind: 'recordPut' }] }]);
  });

  test('notifies its followers', async () => {
    await reader.read(await end(), 1);
    onWake.mockClear();
    await tenant.createDomain();
    await expect.poll(() => onWake).toHaveBeenCalled();
  });

  test('cannot be read while the database is unreachable', async () => {
    const nowhere = { ...database.address, hosts: [{ host: '127.0.0.1', port: 1 }] };
    const lost = openFeedReader({ address: nowhere, clock: systemClock, log: silentLog, onWake });
    await expect(lost.read({ seq: 0, batch: NO_BATCH }, 1)).rejects.toThrow(StoreUnavailable);
    await expect(lost.snapshot(() => Promise.resolve())).rejects.toThrow(StoreUnavailable);
    await lost.close();
  });
});

describe('a snapshot', () => {
  test('shows all zones as they were at its beginning', async () => {
    const domains: Domain[] = [];
    for (const name of ['b.example', 'a.example', 'c.example'] as ZoneName[]) {
      domains.push(await tenant.createDomain(name));
    }
    const [one, two] = domains;
    for (const owner of ['x', 'y', 'z']) await tenant.create(one.name, newRecord(owner));
    await tenant.create(two.name, newRecord('x'));
    const before = await end();
    await reader.snapshot(async (snapshot) => {
      await tenant.create(two.name, newRecord('later'));
      await tenant.createDomain();
      expect(snapshot.position).toEqual(before);
      const heads = await snapshot.domainsAfter('', 10);
      expect(heads.map(({ name }) => name)).toEqual(['a.example', 'b.example', 'c.example']);
      expect(await snapshot.domainsAfter('a.example', 1)).toEqual([heads[1]]);
      const owners: string[] = [];
      for (let after: { domainId: number; recordId: string } | null = null; ;) {
        const page = await snapshot.recordsOf(
          domains.map(({ id }) => id),
          after,
          2,
        );
        const last = page.at(-1);
        if (last === undefined) break;
        owners.push(...page.map(({ domainId, record }) => `${domainId} ${record.owner}`));
        after = { domainId: last.domainId, recordId: last.record.id };
      }
      expect(owners).toEqual([`${one.id} x`, `${one.id} y`, `${one.id} z`, `${two.id} x`]);
    });
  });

  test('of an empty database has no position', async () => {
    const empty = await newPostgres();
    await (await openStore(empty.address)).close();
    const other = openFeedReader({ address: empty.address, clock: systemClock, log: silentLog, onWake });
    expect(await other.snapshot(({ position }) => Promise.resolve(position))).toBeNull();
    await other.close();
    await empty.remove();
  });

  test('rethrows errors of its callback', async () => {
    const mistake = new Error('a full disk');
    await expect(reader.snapshot(() => Promise.reject(mistake))).rejects.toBe(mistake);
  });
});

describe('the report of a nameserver process', () => {
  const [one, two] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
  const runOf = (id: string, startedAtMs: number) => ({ id, name: `name of ${id.slice(0, 1)}`, startedAtMs });
  const announce = (id: string, startedAtMs: number) => reader.announce(runOf(id, startedAtMs));
  const report = (id: string, seq: number, atMs = 0, startedAtMs = 0) =>
    reader.report({
      ...{ ...runOf(id, startedAtMs), seq, atMs },
      ...{ digest: null, doubt: 'none', doubtedIds: [], ...proof },
    });
  let proof: Partial<PositionReport> = {};

  afterEach(() => (proof = {}));

  test('shows no serial that is in doubt', async () => {
    const [domain, other] = [await tenant.createDomain(), await tenant.createDomain()];
    const position = await end();
    const page = await reader.read(position, 1);
    const digest = page.kind === 'batches' ? page.digest : null;
    expect(digest).not.toBeNull();
    const serials = async (): Promise<unknown[]> => {
      const found = await Promise.all([domain, other].map((one) => store.servedSerials(one)));
      return found.map(([served]) => served.serial);
    };
    const both = [domain.serial, other.serial];
    for (const [given, expected] of [
      [{ digest }, both],
      [{ digest: 'another' }, [null, null]],
      [{ digest, doubt: 'all' }, [null, null]],
      [{ digest, doubt: 'some', doubtedIds: [other.id] }, [domain.serial, null]],
      [{ digest: null }, both],
    ] as const) {
      proof = given;
      await report(one, position.seq);
      expect(await serials()).toEqual(expected);
    }
  });

  test('shows which serial of a domain it serves, and since when', async () => {
    const domain = await tenant.createDomain();
    const created = (await end()).seq;
    await tenant.create(domain.name, newRecord('www'));
    const changed = (await end()).seq;
    await tenant.createDomain();
    await report(one, created, 100);
    await report(two, 0, 50);
    expect(await store.servedSerials(domain)).toMatchObject([
      { id: one, nameserver: 'name of 1', serial: domain.serial, takenAtMs: 100, isLive: true },
      { id: two, serial: null, takenAtMs: null },
    ]);
    expect(await store.nameserverReports()).toMatchObject([
      { id: one, name: 'name of 1', seq: created },
      { id: two, seq: 0 },
    ]);
    await report(one, changed + 1, 200);
    await report(one, changed + 2, 300);
    await report(two, changed, 400);
    expect(await store.servedSerials(domain)).toMatchObject([
      { id: one, serial: domain.serial + 1, takenAtMs: 200 },
      { id: two, serial: domain.serial + 1, takenAtMs: 400 },
    ]);
  });

  test('shows no serial of a restored domain at a position at which it was deleted', async () => {
    const domain = await tenant.createDomain();
    await tenant.deleteDomain(domain.name);
    const deleted = (await end()).seq;
    const { author } = tenant;
    const { serial } = await tenant.scene.must({ kind: 'restoreDomain', author, name: domain.name });
    await report(one, deleted, 100);
    await report(two, 0, 50);
    expect(await store.servedSerials(domain)).toMatchObject([
      { id: one, serial: null, takenAtMs: null },
      { id: two, serial: null, takenAtMs: null },
    ]);
    await report(one, deleted + 1, 200);
    expect(await store.servedSerials(domain)).toMatchObject([{ id: one, serial, takenAtMs: 200 }, {}]);
  });

  test('counts until another run of the process begins, which may serve an older copy', async () => {
    const domain = await tenant.createDomain();
    const { seq } = await end();
    const served = async () =>
      (await store.servedSerials(domain)).map(({ serial, isLive }) => [serial, isLive]);
    await announce(one, 1);
    expect(await served()).toEqual([[null, true]]);
    expect(await report(one, seq, 100, 1)).toBe(true);
    expect(await served()).toEqual([[domain.serial, true]]);
    await announce(one, 2);
    expect(await served()).toEqual([[null, true]]);
    // A report of the run before that was under way.
    expect(await report(one, seq, 300, 1)).toBe(false);
    expect(await served()).toEqual([[null, true]]);
    expect(await report(one, seq, 400, 2)).toBe(true);
    expect(await served()).toEqual([[domain.serial, true]]);
  });

  test('is rejected if another process keeps using its id, and accepted when that one has ended', async () => {
    await tenant.createDomain();
    const { seq } = await end();
    await announce(one, 1);
    await announce(one, 2);
    expect(await report(one, seq, 300, 1)).toBe(false);
    const administrator = await connectPostgres(database.address, writerLimits);
    await administrator.query("UPDATE nameservers SET seen_at = seen_at - interval '11 seconds'");
    await administrator.close();
    expect(await report(one, seq, 500, 1)).toBe(true);
  });

  test('gives a serial even if the last change of the domain was pruned', async () => {
    const domain = await tenant.createDomain();
    await report(one, (await end()).seq);
    await runUpkeep(
      database.address,
      // The report has the time of the database, the changes that of the scene.
      () => ({
        times: { nowMs: Date.now(), historyStartMs: START_MS + 5, trailStartMs: 0 },
        trustedMs: null,
      }),
      () => false,
    );
    expect(await store.servedSerials(domain)).toMatchObject([{ serial: domain.serial, takenAtMs: null }]);
    // In the second in which it was created.
    tenant.nowMs = START_MS + 10;
    const { author } = tenant;
    await store.write({ kind: 'updateDomain', author, name: domain.name, soaPrimary: 'ns.example' });
    expect(await store.servedSerials(domain)).toMatchObject([{ serial: domain.serial }]);
  });
});

async function end(): Promise<FeedPosition> {
  const position = await reader.snapshot((snapshot) => Promise.resolve(snapshot.position));
  if (position === null) throw new Error('something was written');
  return position;
}

function batchesOf(page: FeedPage) {
  if (page.kind === 'gone') throw new Error('the position is known');
  return page.batches;
}
