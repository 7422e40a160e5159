import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../cli/run-command-line.ts';
import { textTerminal } from '../cli/terminal/text-terminal.test-support.ts';
import { openStoreFiles } from '../store/sqlite/open-store-files.ts';
import { createZonewrightProgram } from './zonewright-program.ts';

let folder: string;
let data: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-store-commands-'));
  data = join(folder, 'data');
  file = join(folder, 'backup.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function run(words: readonly string[], isInteractive = false) {
  const terminal = textTerminal({ isInteractive });
  const exitCode = await runCommandLine(createZonewrightProgram(terminal), words, terminal);
  const { stdout, stderr } = terminal;
  return { exitCode, stdout, stderr };
}

const emptyRows = {
  ...{ counters: 1, accounts: 0, keys: 0, domains: 0 },
  ...{ records: 0, retired_serials: 0, deleted_domains: 0, changes: 0, idempotency: 0 },
  ...{
    account_limits: 0,
    account_nameservers: 0,
    change_authors: 0,
    upkeep_time: 0,
    zone_keys: 0,
    users: 0,
    identities: 0,
    memberships: 0,
    trail: 0,
  },
};

test('backup, restore and move say what they did, as JSON too', async () => {
  openStoreFiles(data, 0).lock.release();
  const backup = await run(['backup', '--data', data, '--to', file, '--json']);
  expect([backup.exitCode, backup.stderr]).toEqual([0, '']);
  const done = JSON.parse(backup.stdout) as Record<string, unknown>;
  expect(done).toEqual({
    outcome: 'backed_up',
    from: `sqlite:${data}`,
    to: file,
    rows: emptyRows,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    seconds: expect.any(Number) as number,
  });

  const restored = join(folder, 'restored');
  const restore = await run(['restore', '--data', restored, '--from', file]);
  expect([restore.exitCode, restore.stderr]).toEqual([0, '']);
  expect(restore.stdout).toContain(`${file} to sqlite:${restored}: restored, read back and compared (`);
  expect(restore.stdout).toContain('\naccounts\t0\n');
  expect(restore.stdout).toContain(`\nSHA-256 of all rows: ${String(done['hash'])}\n`);

  const moved = join(folder, 'moved');
  const move = await run(['move', '--from', `sqlite:${restored}`, '--to', `sqlite:${moved}`], true);
  expect([move.exitCode, move.stderr]).toEqual([
    0,
    expect.stringMatching(
      /^[^\n]*\r\[#{12}\] copying: 1 of 1 rows[^\n]*\n[^\n]*\r\[#{12}\] comparing: 1 of 1 rows[^\n]*\n$/,
    ),
  ]);
  expect(move.stdout).toContain(': moved, both stores are equal (');
  expect(move.stdout).toMatch(/\nTABLE +ROWS\ncounters +1\n/);
});

test.each([
  [['backup'], 2, "required option '--to <file>' not specified"],
  [['restore'], 2, "required option '--from <file>' not specified"],
  [['move', '--from', 'sqlite:x'], 2, "required option '--to <store>' not specified"],
  [['move', '--from', 'sqlite:', '--to', 'sqlite:x'], 2, '--from: must be sqlite:<data folder> or '],
  [['move', '--from', 'sqlite:x', '--to', 'mysql://y'], 2, '--to: must be sqlite:<data folder> or '],
  [['move', '--from', 'sqlite:x', '--to', 'postgres://y'], 2, '--to: the PostgreSQL URL names no user'],
  [['backup', '--database', 'mysql:', '--to', 'x'], 2, '--database: "mysql:" is not a database: '],
  [['backup', '--data', '/nowhere', '--to', 'x'], 1, 'there is no store in /nowhere'],
  [['restore', '--from', '/nowhere/x'], 1, 'there is no file /nowhere/x'],
  [
    ['move', '--from', 'postgres://a:secret@127.0.0.1:1/b', '--to', 'sqlite:x'],
    6,
    'no connection to postgres://a@127.0.0.1:1/b could be opened (',
  ],
])('%j ends with one sentence and exit code %i', async (words, code, sentence) => {
  const here = readdirSync('.');
  const { exitCode, stdout, stderr } = await run(words);
  expect(stderr).toContain(`zonewright: ${sentence}`);
  expect(stderr.split('\n')).toHaveLength(2);
  expect(stderr).not.toContain('secret');
  expect([exitCode, stdout]).toEqual([code, '']);
  expect(readdirSync('.')).toEqual(here);
});
