import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Log } from '../base/log.ts';
import { createDnssecKeyFile, dnssecKeyPath } from './dnssec-key-file.ts';
import { openDnssecSecrets } from './open-dnssec-secrets.ts';

const ONE = 'Zm9yIHRlc3RzIG9ubHksIG5vdCBhIHNlY3JldA==';
const OTHER = '0123456789abcdef0123456789abcdef';

let data: string;
let path: string;
let warnings: string[];
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'zonewright-dnssec-'));
  path = dnssecKeyPath(data);
  warnings = [];
});
afterEach(() => rmSync(data, { recursive: true }));

const note = (_: unknown, message: string) => void warnings.push(message);
const log: Log = { debug: note, info: note, warn: note, error: note };

function open(dnssecSecret: readonly string[] | null = null): readonly string[] {
  return openDnssecSecrets({ database: { kind: 'sqlite' }, data, dnssecSecret }, log);
}

test('the first start with the embedded store creates a secret, which later starts read', () => {
  const created = open();
  expect(created).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  expect(open()).toEqual(created);
  expect(readdirSync(data)).toEqual(['dnssec.key']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(warnings).toEqual([]);
});

test('two data folders have different secrets', () => {
  const first = open();
  rmSync(path);
  expect(open()).not.toEqual(first);
});

test('the setting comes first, and the secrets of the file still open what they encrypted', () => {
  const [kept] = open();
  expect(open([ONE, OTHER])).toEqual([ONE, OTHER, kept]);
  expect(open([kept])).toEqual([kept]);
});

test('with the setting, no file is created', () => {
  expect(open([ONE])).toEqual([ONE]);
  expect(readdirSync(data)).toEqual([]);
});

test('a file may hold several secrets, the first of which encrypts', () => {
  writeFileSync(path, `${ONE},${OTHER}\n`, { mode: 0o600 });
  expect(open()).toEqual([ONE, OTHER]);
});

test('a file that another process has just created is not replaced', () => {
  writeFileSync(path, `${ONE}\n`, { mode: 0o600 });
  expect(createDnssecKeyFile(path, log)).toEqual([ONE]);
  expect(readFileSync(path, 'utf8')).toBe(`${ONE}\n`);
});

test.each(['', 'short\n', `${ONE} with a word too many\n`])(
  'the file %j is refused, kept, and not shown in the message',
  (text) => {
    writeFileSync(path, text, { mode: 0o600 });
    expect(() => open()).toThrow(/^the file .*dnssec\.key does not hold the secret of the DNSSEC keys \(/);
    expect(() => open()).not.toThrow(ONE);
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

test('a file that cannot be read or written is refused with the reason', () => {
  mkdirSync(path);
  expect(() => open()).toThrow(
    /^the file .*dnssec\.key with the secret of the DNSSEC keys cannot be read: EISDIR$/,
  );
  const gone = join(data, 'gone', 'dnssec.key');
  expect(() => createDnssecKeyFile(gone, log)).toThrow(/^the file .* cannot be written: ENOENT$/);
});

test('the data folder is created if it does not exist', () => {
  rmSync(data, { recursive: true });
  expect(open()).toHaveLength(1);
});

test('a file that others may read is closed to them, with a warning', () => {
  writeFileSync(path, `${ONE}\n`);
  chmodSync(path, 0o644);
  expect(open()).toEqual([ONE]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(warnings).toEqual(['others could read the secret of the DNSSEC keys; now its owner alone can']);
});

test('PostgreSQL has the secrets of the setting and no file', () => {
  const address = { hosts: [], user: 'zw', database: 'zw' } as never;
  const config = { database: { kind: 'postgres', address }, data } as const;
  expect(openDnssecSecrets({ ...config, dnssecSecret: [ONE] }, log)).toEqual([ONE]);
  expect(openDnssecSecrets({ ...config, dnssecSecret: null }, log)).toEqual([]);
  expect(readdirSync(data)).toEqual([]);
});
