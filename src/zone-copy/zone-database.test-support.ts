// A PostgreSQL store as followers see it, written row by row, so that tests control which changes form a batch, are pruned or
// are lost in a failover.
import { dropDatabase, newDatabase } from '../../test/harness/postgres-server.ts';
import type { ZoneName } from '../model/domain.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import { migratePostgres } from '../store/postgres/migrate.ts';
import { parsePostgresUrl, type PostgresAddress } from '../store/postgres/postgres-address.ts';
import { connectPostgres, type PostgresConnection } from '../store/postgres/postgres-connection.ts';
import type { ZoneSource } from '../store/store.ts';

/** Content by domain name: the serial, then a line for each record. */
export type Served = Readonly<Record<string, readonly string[]>>;

/** One write in a batch. Records are identified by their last octet. */
export type Step =
  | readonly [
      kind: 'create' | 'delete' | 'restore' | 'touch' | 'withhold' | 'release',
      name: string,
      owner?: undefined,
      octet?: undefined,
    ]
  | readonly [kind: 'put' | 'drop', name: string, owner: string, octet: number];

const LIMITS = { statementMs: 10_000, lockMs: 5000, idleInTransactionMs: 60_000 };

export class ZoneDatabase {
  readonly address: PostgresAddress;
  private readonly url: string;
  private connection: PostgresConnection;

  private constructor(url: string, address: PostgresAddress, connection: PostgresConnection) {
    this.url = url;
    this.address = address;
    this.connection = connection;
  }

  static async create(serverUrl: string): Promise<ZoneDatabase> {
    const url = await newDatabase(serverUrl);
    const address = addressOf(url);
    await migratePostgres(address, 0);
    const database = new ZoneDatabase(url, address, await connectPostgres(address, LIMITS));
    await database.clear();
    return database;
  }

  /** Resets the database. */
  async clear(): Promise<void> {
    await this.all([
      'TRUNCATE accounts, keys, domains, records, changes, batches, nameservers, nameserver_reports',
      'UPDATE counters SET last_seq = 0, last_domain_id = 0',
      "INSERT INTO accounts VALUES ('a', '', '', 0, 0, 0)",
    ]);
  }

  /** Writes one batch and returns the last seq of the feed. */
  async write(...steps: readonly Step[]): Promise<number> {
    const raised = new Set<string>();
    const texts = steps.flatMap((step) => statementsOf(step, raised));
    await this.all([
      'BEGIN',
      ...texts,
      `INSERT INTO batches SELECT gen_random_uuid(), last_seq, ${String(steps.length > 0)}, 0 FROM counters`,
      "SELECT pg_notify('zonewright', '')",
      'COMMIT',
    ]);
    return await this.lastSeq();
  }

  /**
   * Adds records to one domain in one batch, as an import does, after the steps and before others.
   *
   * @param first the number of the first record; each is used once
   */
  async import(
    { name, first = 1, count }: { readonly name: string; readonly first?: number; readonly count: number },
    before: readonly Step[] = [],
    after: readonly Step[] = [],
  ): Promise<number> {
    const raised = new Set<string>();
    const texts = before.flatMap((step) => statementsOf(step, raised));
    const isRaised = raised.has(name);
    raised.add(name);
    const columns = "lpad(n::text, 36, '0'), 'r' || n % 5000, '', 1, '', -1, 300, int4send(n)";
    const series = `generate_series(${first}, ${first + count - 1}) n WHERE domains.name = '${name}'`;
    await this.all([
      'BEGIN',
      ...texts,
      ...(isRaised ? [] : [`UPDATE domains SET serial = serial + 1 WHERE name = '${name}'`]),
      `INSERT INTO records SELECT id, ${columns} FROM domains, ${series}`,
      `INSERT INTO changes SELECT last_seq + n - ${first - 1}, 0, 'recordPut', id, name, serial, 'key', NULL, NULL, ${columns}
       FROM counters, domains, ${series}`,
      `UPDATE counters SET last_seq = last_seq + ${count}`,
      ...after.flatMap((step) => statementsOf(step, raised)),
      `INSERT INTO batches SELECT gen_random_uuid(), last_seq, true, 0 FROM counters`,
      "SELECT pg_notify('zonewright', '')",
      'COMMIT',
    ]);
    return await this.lastSeq();
  }

  /** Adds many records to one domain without feed entries, as `zonewright move` does. */
  async fill(name: string, count: number): Promise<void> {
    await this.sql(
      `INSERT INTO records SELECT id, lpad(n::text, 36, '0'), 'r' || n % 100, '', 1, '', -1, 300, int4send(n)
       FROM domains, generate_series(1, $2::int) n WHERE domains.name = $1`,
      name,
      count,
    );
  }

  async lastSeq(): Promise<number> {
    return (await this.sql<[number]>('SELECT last_seq FROM counters'))[0][0];
  }

  /** Prunes the feed before its last batch. */
  async prune(): Promise<void> {
    await this.sql('DELETE FROM changes');
    await this.sql('DELETE FROM batches WHERE last_seq < (SELECT last_seq FROM counters)');
  }

  async served(): Promise<Served> {
    const domains = await this.sql<[string, number]>(
      'SELECT name, serial FROM domains WHERE withheld IS NULL',
    );
    const records = await this.sql<[string, string, number, number, Uint8Array]>(
      `SELECT domains.name, owner, ttl, type, rdata FROM records JOIN domains ON domains.id = domain_id
       WHERE withheld IS NULL`,
    );
    const zones = Object.fromEntries(domains.map(([name, serial]) => [name, { serial, lines: [''] }]));
    for (const [name, owner, ttl, type, rdata] of records)
      zones[name].lines.push(line(owner, ttl, type, rdata));
    return toServed(Object.entries(zones).map(([name, { serial, lines }]) => [name, serial, lines.slice(1)]));
  }

  async sql<Row>(text: string, ...values: (string | number | boolean | Uint8Array)[]): Promise<Row[]> {
    return (await this.connection.query<Row>(text, values)).rows;
  }

  /** Connects again after the server was stopped. */
  async reconnect(): Promise<void> {
    this.connection = await connectPostgres(this.address, LIMITS);
  }

  async remove(): Promise<void> {
    await this.connection.close();
    await dropDatabase(this.url);
  }

  /** Sends all statements in one round trip. */
  private async all(texts: readonly string[]): Promise<void> {
    await this.connection.pipeline(texts.map((text) => ({ text })));
  }
}

function statementsOf([kind, name, owner, octet]: Step, raised: Set<string>): string[] {
  const id = recordId(octet ?? 0);
  const columns = `'${id}', '${owner}', '', 1, '', -1, 300, '\\xc00002${hex([octet ?? 0])}'::bytea`;
  const record = owner === undefined ? Array(8).fill('NULL').join() : columns;
  const isServing = kind === 'withhold' || kind === 'release';
  const isRaised = raised.has(name) || isServing;
  if (!isServing) raised.add(name);
  const domain = `FROM domains WHERE name = '${name}'`;
  const rows = {
    create: [
      'UPDATE counters SET last_domain_id = last_domain_id + 1',
      `INSERT INTO domains SELECT last_domain_id, 'a', '${name}', 0, 1, NULL, NULL, 0, 0 FROM counters`,
    ],
    // Brings back the domain of that name that was deleted last.
    restore: [
      `INSERT INTO domains SELECT domain_id, 'a', domain, 0, serial + 1, NULL, NULL, 0, 0 FROM changes
       WHERE kind = 'domainDelete' AND domain = '${name}' ORDER BY seq DESC LIMIT 1`,
    ],
    withhold: [`UPDATE domains SET withheld = 'suspended' WHERE name = '${name}'`],
    release: [`UPDATE domains SET withheld = NULL WHERE name = '${name}'`],
    touch: [],
    delete: [],
    put: [`INSERT INTO records SELECT id, ${columns} ${domain}`],
    drop: [`DELETE FROM records WHERE domain_id = (SELECT id ${domain}) AND id = '${id}'`],
  };
  return [
    ...(isRaised || kind === 'create'
      ? []
      : [`UPDATE domains SET serial = serial + 1 WHERE name = '${name}'`]),
    ...rows[kind],
    'UPDATE counters SET last_seq = last_seq + 1',
    `INSERT INTO changes SELECT last_seq, 0, '${FEED_KINDS[kind]}', id, name, serial, 'key', NULL, NULL, ${record}
     FROM counters, domains WHERE name = '${name}'`,
    // Its records are purged later, without feed entries.
    ...(kind === 'delete' ? [`DELETE ${domain}`] : []),
  ];
}

const FEED_KINDS = {
  create: 'domainPut',
  touch: 'domainPut',
  delete: 'domainDelete',
  restore: 'domainRestore',
  withhold: 'domainWithhold',
  release: 'domainRelease',
  put: 'recordPut',
  drop: 'recordDelete',
};

function recordId(octet: number): string {
  return String(octet).padStart(36, '0');
}

/** Reads all zones of a source. */
export function servedBy(source: ZoneSource): Served {
  const names = source.hostedNames('', 1_000_000);
  return toServed(
    names.map((name) => {
      const zone = source.readZone(name);
      if (zone === undefined) throw new Error(`${name} is hosted and cannot be read`);
      const lines = Array.from(zone.records, (record) =>
        line(record.owner, record.ttl, record.type, record.rdata),
      );
      return [name, zone.head.serial, lines];
    }),
  );
}

/** Applies the updates to `zones`; a replaced zone is read from the source. */
export function replay(zones: Served, updates: readonly ZoneUpdate[], source: ZoneSource): Served {
  const held = new Map(Object.entries(zones));
  for (const update of updates) {
    if (update.kind === 'deleted') held.delete(update.name);
    else if (update.kind === 'replaced') held.set(update.head.name, servedBy(source)[update.head.name] ?? []);
    else {
      const { head, owners, created } = update;
      if (created === held.has(head.name)) throw new Error(`${head.name}: created is ${created}`);
      const touched = new Set<string>(owners.map(({ owner }) => owner));
      const others = (held.get(head.name) ?? []).slice(1).filter((text) => !touched.has(text.split(' ')[0]));
      const lines = owners.flatMap(({ owner, records }) =>
        records.map(({ ttl, type, rdata }) => line(owner, ttl, type, rdata)),
      );
      held.set(head.name, [String(head.serial), ...[...others, ...lines].sort()]);
    }
  }
  return Object.fromEntries(held);
}

/** Waits for another thread or process, within the time limit of the test. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}

export function addressOf(url: string): PostgresAddress {
  const parsed = parsePostgresUrl(url);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

export function zoneName(name: string): ZoneName {
  return name as ZoneName;
}

function toServed(
  zones: readonly (readonly [name: string, serial: number, lines: readonly string[]])[],
): Served {
  return Object.fromEntries(
    zones.map(([name, serial, lines]) => [name, [String(serial), ...[...lines].sort()]]),
  );
}

function line(owner: string, ttl: number, type: number, rdata: Uint8Array): string {
  return `${owner} ${ttl} ${type} ${hex(rdata)}`;
}

function hex(octets: Uint8Array | readonly number[]): string {
  return Buffer.from(octets).toString('hex');
}
