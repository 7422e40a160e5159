import { execFile } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeFolder, startForFile, startProgram } from '../harness/service.ts';
import { keyChecksum } from '../harness/api-key.ts';

const service = await startForFile();

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command as the operator of the running service. */
async function zonewright(words: string, environment: Record<string, string> = {}): Promise<Finished> {
  const program = startProgram(words.split(' '), {
    ZONEWRIGHT_URL: `http://${service.httpAddress}`,
    ZONEWRIGHT_RESOLVERS: 'none',
    ZONEWRIGHT_DATA: service.data,
    ...environment,
  });
  return { code: await program.ended(), stdout: program.stdout(), stderr: program.stderr() };
}

async function succeed(words: string, environment: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await zonewright(words, environment);
  expect([code, stderr], words).toEqual([0, '']);
  return stdout;
}

test('a domain and its records are created and deleted on the command line, and DNS follows', async () => {
  expect(await succeed('domain create cli.example.com --ip 192.0.2.7')).toMatch(
    /^domain: cli\.example\.com\ncreated: \d{4}-.*\ndnssec: disabled\nserved: yes\n$/,
  );
  await succeed('domain create cli.example.com');
  expect(await service.dns.look('cli.example.com', 'A')).toEqual(['192.0.2.7']);

  await succeed('record create cli.example.com mail A 192.0.2.8 --ttl 600');
  const created = await succeed(
    'record create cli.example.com @ MX 10 mail.cli.example.com --ttl 600 --json',
  );
  const record = JSON.parse(created) as { id: string };
  expect(record).toMatchObject({
    type: 'MX',
    name: '',
    data: 'mail.cli.example.com',
    priority: 10,
    ttl: 600,
  });
  await succeed('record create cli.example.com _x TXT --ttl 300 -- -all');
  expect(await service.dns.look('_x.cli.example.com', 'TXT')).toEqual(['-all']);

  const rows = (await succeed('record list cli.example.com'))
    .split('\n')
    .map((line) => line.split('\t').slice(1));
  expect(rows).toContainEqual(['@', '600', 'MX', '10', 'mail.cli.example.com']);
  expect(rows).toContainEqual(['_x', '300', 'TXT', '-', '"-all"']);
  expect(JSON.parse(await succeed('record list cli.example.com --json'))).toContainEqual(record);

  expect(await succeed(`record delete cli.example.com ${record.id}`)).toBe('');
  expect(await service.dns.look('cli.example.com', 'MX')).toBe('NODATA');
  expect(await succeed('domain list')).toMatch(/^cli\.example\.com\t/m);
  expect(await succeed('domain show CLI.example.com.')).toContain('domain: cli.example.com\n');
  await succeed('domain delete cli.example.com');
  expect(await service.dns.look('cli.example.com', 'A')).toBe('REFUSED');
});

test('domain wait prints the served serial, or fails on timeout', async () => {
  await succeed('domain create wait.example.com');
  await succeed('record create wait.example.com www A 192.0.2.1 --ttl 300 --wait');
  const serial = await service.dns.serial('wait.example.com');
  expect(await succeed('domain wait wait.example.com')).toMatch(
    new RegExp(`^domain: wait\\.example\\.com\\nserial: ${serial}\\nnameservers: \\S+\\n$`),
  );
  expect(await succeed('domain propagation wait.example.com')).toMatch(
    new RegExp(`^[^\\t\\n]+\\t${serial}\\t[^\\n]+\\tyes\\tyes\\n$`),
  );
  const late = await zonewright(`domain wait wait.example.com --serial ${serial + 1} --timeout 1`);
  expect([late.code, late.stdout]).toEqual([8, '']);
  expect(late.stderr).toMatch(
    new RegExp(
      `^zonewright: \\S+ still serves serial ${serial}\\n` +
        `zonewright: wait\\.example\\.com with serial ${serial + 1} is not served by all nameservers after 1 second\\n$`,
    ),
  );
});

test('an account gets its own key, and keys are created and revoked', async () => {
  const created = JSON.parse(await succeed('account create Example --email dns@example.com --json')) as {
    account: { id: string };
    key: { key: string };
  };
  const { id: account } = created.account;
  const own = { ZONEWRIGHT_KEY: created.key.key };
  expect(await succeed('account list')).toContain(`${account}\t`);
  expect(await succeed('domain list', own)).toBe('');
  expect((await zonewright('account list', own)).code).toBe(5);

  const plain = await succeed(`key create --account ${account} --label scripts --plain`);
  expect(plain).toMatch(/^zw_[0-9A-Za-z]{38}\n$/);
  const key = plain.trim();
  expect(key.slice(-6)).toBe(keyChecksum(key.slice(0, -6)));
  expect(await succeed('domain list', { ZONEWRIGHT_KEY: key })).toBe('');

  const listed = await succeed(`key list --account ${account}`);
  expect(listed).not.toContain(key);
  const id = listed
    .split('\n')
    .find((line) => line.includes('\tfull\tscripts\t'))!
    .split('\t')[0];
  expect(await succeed(`key revoke ${id}`)).toBe('');
  expect((await zonewright('domain list', { ZONEWRIGHT_KEY: key })).code).toBe(5);
  expect(await succeed(`key list --account ${account} --json`)).not.toContain(id);
});

test('a key of scope read cannot write', async () => {
  const environment = { ZONEWRIGHT_KEY: (await succeed('key create --scope read --plain')).trim() };
  await succeed('domain list', environment);
  expect((await zonewright('domain create read.example.com', environment)).code).toBe(5);
});

test.each([
  ['domain create not..valid', 3],
  ['record create nowhere.example.com www A 192.0.2.1 --ttl 300', 4],
  ['domain show nowhere.example.com', 4],
  ['domain wait nowhere.example.com', 4],
  ['key revoke 0199b4f0-7c3a-7d3e-8f0a-3a1c5b7d9e11', 4],
  ['domain list --key zw_wrong', 5],
])('%s fails with one sentence and exit code %i', async (words, exitCode) => {
  const { code, stdout, stderr } = await zonewright(words);
  expect(stderr).toMatch(/^zonewright: [^\n]+\n$/);
  expect([code, stdout]).toEqual([exitCode, '']);
});

test('a missing or invalid key file is named', async () => {
  const data = makeFolder();
  const { code, stderr } = await zonewright('domain list', { ZONEWRIGHT_DATA: data });
  expect(stderr).toBe(
    `zonewright: no API key: use --key, set ZONEWRIGHT_KEY, or make ${data}/admin.key readable (ENOENT)\n`,
  );
  expect(code).toBe(5);
});

const launcher = fileURLToPath(new URL('../../bin/zonewright.js', import.meta.url));

test('npx zonewright runs the built program', async () => {
  const { stdout } = await promisify(execFile)(launcher, ['--version']);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('a user without a home folder can run the program', async () => {
  const withoutHome =
    'import os from "node:os"; import { syncBuiltinESMExports } from "node:module";' +
    'os.homedir = () => { throw new Error("no home folder"); }; syncBuiltinESMExports();';
  const words = ['--import', `data:text/javascript,${withoutHome}`, launcher, 'config', '--help'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: {} });
  expect(stdout).toMatch(/^Usage: zonewright config /);
});

test.runIf(existsSync('/dev/full'))('output that does not fit onto the disk is no success', async () => {
  const ended = promisify(execFile)('sh', ['-c', '"$0" --help >/dev/full', launcher]);
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stderr: 'zonewright: the output cannot be written (ENOSPC)\n',
  });
});

test('before the first build npx zonewright says what to do', async () => {
  const checkout = makeFolder();
  const copy = join(checkout, 'bin', 'zonewright.mjs');
  cpSync(launcher, copy);
  await expect(promisify(execFile)(copy, ['config'])).rejects.toMatchObject({
    code: 1,
    stderr: 'zonewright: this checkout is not built yet: run npm ci && npm run build\n',
  });
});
