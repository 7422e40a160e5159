import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ZoneKeyJson } from '../../contract/zone-key-shape.ts';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

const folder = mkdtempSync(join(tmpdir(), 'zonewright-keys-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const file = join(folder, 'K.private');
const text = 'Private-key-format: v1.3\nAlgorithm: 13\nPrivateKey: AAAA\n';
writeFileSync(file, text);

const key: ZoneKeyJson = {
  id: '0193489f-8a3b-7abc-8def-0123456789ab',
  ...{ tag: 27933, algorithm: 13, flags: 257, origin: 'imported', dnskey: '257 3 13 AAAA' },
  ...{ ds: '27933 13 2 0A1B', announced: true, date_created: '2026-11-20T09:03:31+00:00' },
};

const shown = `id: ${key.id}\ntag: 27933\nalgorithm: 13\nflags: 257\norigin: imported\nds: 27933 13 2 0A1B\nannounced: yes\n`;

test('key list shows the keys of a domain', async () => {
  const zsk: ZoneKeyJson = { ...key, tag: 1, flags: 256, origin: 'foreign', ds: null, announced: false };
  server.answers = [{ status: 200, body: { keys: [key, zsk] } }];
  expect(await run('domain dnssec key list example.com --plain')).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: `${key.id}\t27933\t13\t257\timported\t27933 13 2 0A1B\tyes\n${key.id}\t1\t13\t256\tforeign\t-\tno\n`,
  });
  expect(server.asked[0].request).toBe('GET /dnssec/keys');
});

test('key add imports a private key, and says with which DS record it has to be compared', async () => {
  server.answers = [{ status: 201, body: { key } }];
  expect(await run(['domain', 'dnssec', 'key', 'add', 'example.com', '--private-key', file])).toEqual({
    exitCode: 0,
    stdout: shown,
    stderr:
      'example.com is signed with the key 27933. Next step: zonewright domain dnssec status example.com compares it with the DS record of the parent zone, which has to be 27933 13 2 0A1B; if they differ, do not change the delegation\n',
  });
  const [{ request, body }] = server.asked;
  expect([request, JSON.parse(body)]).toEqual(['POST /dnssec/keys', { private_key: text }]);
});

test('key add publishes a key of another provider', async () => {
  server.answers = [{ status: 201, body: { key: { ...key, origin: 'foreign' } } }];
  const words = [
    'domain',
    'dnssec',
    'key',
    'add',
    'example.com',
    '--dnskey',
    '257 3 13 AAAA',
    '--note',
    'in',
  ];
  const { exitCode, stderr } = await run(words);
  expect([exitCode, stderr]).toEqual([
    0,
    'The key 27933 is published beside that of example.com. Next step: have the other provider publish the DNSKEY records of this side, too (zonewright domain dnssec show example.com)\n',
  ]);
  const [{ headers, body }] = server.asked;
  expect([headers['x-change-note'], JSON.parse(body)]).toEqual(['in', { dnskey: '257 3 13 AAAA' }]);
});

test('key add needs one key, and shows no part of a private one that is refused', async () => {
  const both = ['--private-key', file, '--dnskey', '257 3 13 AAAA'];
  for (const words of [[], both]) {
    expect(await run(['domain', 'dnssec', 'key', 'add', 'example.com', ...words])).toMatchObject({
      exitCode: 2,
      stderr: 'zonewright: key add needs either --private-key or --dnskey\n',
    });
  }
  expect(server.asked).toEqual([]);
  const error = { error: 'the algorithm must be 13', status: 400, code: 'invalid_request' };
  server.answers = [{ status: 400, body: error }];
  const { exitCode, stdout, stderr } = await run([
    ...['domain', 'dnssec', 'key', 'add', 'example.com', '--private-key', file],
  ]);
  expect([exitCode, stdout, stderr]).toEqual([3, '', 'zonewright: the algorithm must be 13\n']);
});

test('key remove removes a key, or says why it stays', async () => {
  const error = { error: 'a.nic.example has its DS record', status: 409, code: 'dnssec_conflict' };
  server.answers = [{ status: 204 }, { status: 409, body: error }];
  const line = `domain dnssec key remove example.com ${key.id}`;
  expect(await run(line)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  expect(server.asked[0].request).toBe(`DELETE /dnssec/keys/${key.id}`);
  expect(await run(line)).toMatchObject({
    exitCode: 3,
    stderr: 'zonewright: a.nic.example has its DS record\n',
  });
});
