// The role that docs/operate/three-machines.md describes must suffice for a nameserver process, and for nothing else.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { connectPostgres } from '../store/postgres/postgres-connection.ts';
import { openZoneCopy } from './zone-copy.ts';
import { servedBy, ZoneDatabase } from './zone-database.test-support.ts';

const limits = { statementMs: 5000, lockMs: 1000, idleInTransactionMs: 1000 };

function readStatements(role: string): string[] {
  const guide = readFileSync(new URL('../../docs/operate/three-machines.md', import.meta.url), 'utf8');
  const block = /```sql\n(CREATE ROLE zonewright_nameserver[\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const statements = block.replaceAll('zonewright_nameserver', role).split(';');
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}

test('a nameserver runs with the role of the guide, which cannot read keys and accounts', async () => {
  const database = await ZoneDatabase.create(inject('postgresUrl'));
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-role-'));
  const role = `ns_${randomBytes(6).toString('hex')}`;
  const owner = await connectPostgres(database.address, limits);
  const statements = readStatements(role);
  expect(statements).toHaveLength(5);
  for (const statement of statements) await owner.query(statement);
  await database.write(['create', 'before.example'], ['put', 'before.example', 'www', 1]);

  const address = { ...database.address, user: role };
  const copy = await openZoneCopy({ folder, address, nameserver: 'ns3', clock: systemClock, log: silentLog });
  await expect.poll(() => copy.state().phase).toBe('following');
  const seq = await database.write(['create', 'after.example'], ['put', 'after.example', 'www', 2]);
  await copy.reached(seq);
  expect(servedBy(copy)).toEqual(await database.served());
  const reported =
    'SELECT name FROM nameservers JOIN nameserver_reports ON id = nameserver_id WHERE nameserver_reports.seq = $1';
  await expect.poll(async () => (await owner.query(reported, [seq])).rows).toEqual([['ns3']]);
  await copy.close();

  const host = await connectPostgres(address, limits);
  const refused = [
    ...['keys', 'accounts', 'idempotency'].map((table) => `SELECT * FROM ${table}`),
    ...['domains', 'records', 'changes', 'batches', 'counters', 'keys'].map(
      (table) => `DELETE FROM ${table}`,
    ),
    'UPDATE counters SET last_seq = 0',
    "INSERT INTO keys VALUES ('k', 'a', 'h', 'admin', '', 0)",
  ];
  for (const statement of refused)
    await expect(host.query(statement), statement).rejects.toThrow('permission denied');
  await host.close();
  await owner.query(`DROP OWNED BY ${role}`);
  await owner.query(`DROP ROLE ${role}`);
  await owner.close();
  await database.remove();
  rmSync(folder, { recursive: true });
});
