import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from '../command-line.test-support.ts';
import { findProfile, findService } from './connection.ts';
import { textTerminal } from '../terminal/text-terminal.test-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'connection-'));
afterAll(() => rmSync(folder, { recursive: true }));

function put(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function find(environment: Record<string, string>, options = {}) {
  const terminal = textTerminal({ environment });
  return findService(options, terminal);
}

mkdirSync(join(folder, 'zonewright'));
const profiles = 'zonewright/profiles.toml';
const home = { XDG_CONFIG_HOME: folder };
const keyFile = put('work.key', 'zw_work\n');
put(profiles, `[work]\nurl = "https://dns.example.net"\nkey_file = "${keyFile}"\n`);

const data = join(folder, 'data');
mkdirSync(data);
put('data/admin.key', 'zw_admin\n');
const config = put('server.toml', `http = "0.0.0.0:18080"\ndata = "${data}"\nworkers = 2\n`);

test.each([
  [{ ZONEWRIGHT_CONFIG: config }, {}, 'http://127.0.0.1:18080', 'zw_admin'],
  [{ ZONEWRIGHT_CONFIG: config, ZONEWRIGHT_HTTP: '[::]:9' }, {}, 'http://[::1]:9', 'zw_admin'],
  [{ ZONEWRIGHT_HTTP: 'unix:/run/zw.sock', ZONEWRIGHT_DATA: data }, {}, 'unix:/run/zw.sock', 'zw_admin'],
  [{ ZONEWRIGHT_HTTP: '192.0.2.1:0', ZONEWRIGHT_DATA: data }, {}, 'http://127.0.0.1:8080', 'zw_admin'],
  [{ ZONEWRIGHT_CONFIG: config, ZONEWRIGHT_URL: 'http://a', ZONEWRIGHT_KEY: 'zw_e' }, {}, 'http://a', 'zw_e'],
  [
    { ...home, ZONEWRIGHT_URL: 'http://a', ZONEWRIGHT_KEY: 'zw_e' },
    { profile: 'work' },
    'https://dns.example.net',
    'zw_work',
  ],
  [{ ...home, ZONEWRIGHT_PROFILE: 'work' }, {}, 'https://dns.example.net', 'zw_work'],
  [{ ...home, ZONEWRIGHT_PROFILE: 'work', ZONEWRIGHT_KEY: 'zw_e' }, {}, 'https://dns.example.net', 'zw_e'],
  [
    { ...home, ZONEWRIGHT_PROFILE: 'work', ZONEWRIGHT_KEY: 'zw_e', ZONEWRIGHT_URL: 'http://a' },
    {},
    'http://a',
    'zw_e',
  ],
  [
    { ...home, ZONEWRIGHT_PROFILE: 'work', ZONEWRIGHT_URL: 'http://a' },
    {},
    'https://dns.example.net',
    'zw_work',
  ],
  [{ ...home, ZONEWRIGHT_PROFILE: 'work' }, { url: 'http://b', key: 'zw_o' }, 'http://b', 'zw_o'],
])('%j with %j connects to %s with key %s', (environment, options, url, key) => {
  expect(find(environment, options)).toEqual({ url, key });
});

test.each([
  ['zonewright/profiles.toml', '[bad\n', 0o600, 'is not valid TOML at line 1'],
  [
    'zonewright/profiles.toml',
    '[work]\nurl = "http://a"\n',
    0o600,
    'profile work needs url, and key or key_file',
  ],
  [
    'zonewright/profiles.toml',
    '[work]\nurl = "http://a"\nkey = "zw_k"\n',
    0o644,
    'can be read by other users: run chmod 600',
  ],
])('%s with %j and mode %i is refused', (path, text, mode, sentence) => {
  put(path, text, mode);
  expect(() => find(home, { profile: 'work' })).toThrow(sentence);
});

test('a profile can have a time to live, in seconds or with units', () => {
  put('zonewright/profiles.toml', '[work]\nurl = "http://a"\nkey = "zw_k"\nttl = "1h"\n', 0o600);
  expect(findProfile({ profile: 'work' }, home)?.ttl).toBe(3600);
  put('zonewright/profiles.toml', '[work]\nurl = "http://a"\nkey = "zw_k"\nttl = "soon"\n', 0o600);
  expect(() => findProfile({ profile: 'work' }, home)).toThrow('ttl of profile work: ');
});

test.each([
  'domain list --key zw_k --url http://user:geheim@127.0.0.1:1',
  'domain list --key zw_k --url user:geheim@127.0.0.1:1',
  'profile set a --key zw_k --url http://user:geheim@127.0.0.1:1',
  'copy --yes --key zw_k --from service:http://user:geheim@127.0.0.1:1',
  'copy --yes --key zw_k --from cloudflare --from-url http://user:geheim@127.0.0.1:1',
  'copy --yes --key zw_k --from http://user:geheim@127.0.0.1:1',
])('%s is refused, and the password is not printed', async (line) => {
  const environment = { XDG_CONFIG_HOME: join(folder, 'never'), ZONEWRIGHT_FROM_KEY: 'k' };
  const { exitCode, stdout, stderr } = await runCommand(line.split(' '), { environment });
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(
    /^zonewright: (?!.*geheim).*(?:a user name or password|"http" is not a source).*\n$/,
  );
});

test('a key file that other users can read is refused', () => {
  const open = put('open.key', 'zw_open', 0o640);
  put(profiles, `[work]\nurl = "https://dns.example.net"\nkey_file = "${open}"\n`);
  expect(() => find(home, { profile: 'work' })).toThrow(
    'open.key contains a key and can be read by other users',
  );
});

test('profiles are set, listed without keys, and removed; only the owner can read the file', async () => {
  const environment = { XDG_CONFIG_HOME: join(folder, 'fresh') };
  const run = (line: string) => runCommand(line.split(' '), { environment });
  const done = { exitCode: 0, stdout: '', stderr: '' };
  expect(await run('profile list')).toEqual(done);
  expect(await run('profile set a --url http://127.0.0.1:1 --key zw_secret')).toEqual(done);
  expect(await run(`profile set b --url https://b.example --key-file ${keyFile}`)).toEqual(done);
  expect((await run('profile list')).stdout).toBe(
    `a\thttp://127.0.0.1:1\tin profiles.toml\nb\thttps://b.example\t${keyFile}\n`,
  );
  expect(statSync(join(folder, 'fresh', profiles)).mode & 0o777).toBe(0o600);
  expect((await run('domain list --profile a')).exitCode).toBe(6);
  expect(await run('profile remove a')).toEqual(done);
  expect(await run('profile remove a')).toMatchObject({ exitCode: 2 });
  expect((await run('profile list')).stdout).toMatch(/^b\t/);
});

test.each([
  'a --url http://a',
  'a --url ftp://a --key k',
  'a/b --url http://a --key k',
  'a --url http://a --key k --key-file f',
])('profile set %s is refused', async (line) => {
  const environment = { XDG_CONFIG_HOME: join(folder, 'never') };
  const { exitCode } = await runCommand(`profile set ${line}`.split(' '), { environment });
  expect(exitCode).toBe(2);
  expect(() => statSync(join(folder, 'never'))).toThrow('ENOENT');
});
