// Fixtures of the migration tests: a data folder with every kind of row in it, and options that report no progress.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../base/log.ts';
import type { OwnerKey } from '../model/record.ts';
import { parsePostgresUrl, type PostgresAddress } from '../store/postgres/postgres-address.ts';
import { storePath } from '../store/sqlite/open-store-files.ts';
import { openDatabase } from '../store/sqlite/sqlite-driver.ts';
import { openServedStore, type ServedStore } from '../store/suite/served-store.test-support.ts';
import { newName, newRecord, StoreScene, sceneClock } from '../store/suite/store-scene.test-support.ts';
import { MAX_ACCOUNT_COMMANDS } from '../writes/write-queue.ts';
import type { CopyOptions } from './copy-content.ts';
import { moveStore, type MoveResult } from './move-store.ts';
import { openSource, openTarget } from './open-place.ts';
import type { StorePlace } from './store-place.ts';

export const NOW_MS = Date.parse('2026-11-20T15:00:00Z');

export const quietOptions: CopyOptions = {
  progress: { start: () => undefined, advance: () => undefined },
  signal: new AbortController().signal,
};

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'zonewright-migration-'));
}

export function openStoreIn(folder: string): Promise<ServedStore> {
  return openServedStore({ folder, clock: sceneClock, log: silentLog, historyDays: 36_500 });
}

/**
 * Fills a store with more records than fit into a slice, NUL in TXT, names with any octets, and deleted domains (purged and
 * not yet purged).
 */
export async function fillFolder(folder: string, recordCount = 600): Promise<void> {
  const scene = new StoreScene(await openStoreIn(folder));
  const tenant = await scene.newAccount();
  const { name } = await tenant.createDomain(newName());
  for (let first = 0; first < recordCount; first += MAX_ACCOUNT_COMMANDS) {
    const length = Math.min(MAX_ACCOUNT_COMMANDS, recordCount - first);
    const create = (i: number) => tenant.create(name, newRecord(`host${i}`, i % 256));
    await Promise.all(Array.from({ length }, (_, at) => create(first + at)));
  }
  const other = await (await scene.newAccount()).createDomain(newName());
  await tenant.create(name, oddRecord('nul', 'a\0b'));
  await tenant.create(name, oddRecord('\\000\\255*\\.x', 'Zürich "ö" \u{1f30d} \\ { , } NULL'));
  await tenant.create(name, { ...newRecord('short'), type: 65_280, data: '\\# 0', rdata: new Uint8Array() });
  const deleted = await tenant.createDomain(newName());
  await tenant.deleteDomain(deleted.name);
  await scene.store.close();

  const database = openDatabase(storePath(folder));
  database.exec(`
    DELETE FROM deleted_domains;
    INSERT INTO deleted_domains (domain_id) VALUES (77);
    INSERT INTO records VALUES (77, 'left', 'left', 'left', 1, '192.0.2.7', -1, 60, x'c0000207');
    INSERT INTO users VALUES ('u', 'u@example.net', 'Zoë', NULL, 1, 1, '{}');
    INSERT INTO memberships VALUES ('u', 'a', NULL, '[]', 1);
    INSERT INTO identities VALUES ('7', 'https://login.example', 'u', 1);
    INSERT INTO trail VALUES (7, '', 2, 1, 'key.create', '', '', NULL, 'k', '{}', 3);
    INSERT INTO change_authors VALUES (3, 2, '192.0.2.1', 'Zürich');
    UPDATE domains SET soa_primary = 'ns.example', soa_email = 'm.example' WHERE id = ${other.id}`);
  database.close();
}

function oddRecord(owner: string, text: string) {
  const bytes = new TextEncoder().encode(text);
  const rdata = Uint8Array.of(bytes.length, ...bytes);
  const data = text.includes('\0') ? `"${text}"` : text;
  return newRecord('odd', 1, { owner: owner as OwnerKey, name: owner, type: 16, data, rdata });
}

export function folderPlace(folder: string): StorePlace {
  return { kind: 'sqlite', folder };
}

export function databasePlace(url: string): StorePlace & { readonly address: PostgresAddress } {
  const address = parsePostgresUrl(url);
  if (!address.ok) throw new Error(address.problem);
  return { kind: 'postgres', address: address.value };
}

/** Does the same as `zonewright move`, without output. */
export async function move(from: StorePlace, to: StorePlace, options = quietOptions): Promise<MoveResult> {
  const source = await openSource(from, 'alone');
  try {
    const target = await openTarget(to, NOW_MS);
    try {
      return await moveStore(source, target, options);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
