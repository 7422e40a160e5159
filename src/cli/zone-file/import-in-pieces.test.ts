import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createClient } from '../../client/zonewright-client.ts';
import { prepareServer } from '../command-line.test-support.ts';
import { countForPieces, importInPieces } from './import-in-pieces.ts';
import { openInput } from '../input/open-input.ts';
import { textTerminal } from '../terminal/text-terminal.test-support.ts';

const server = await prepareServer();
const client = createClient({ url: server.url, key: 'zw_k' });
const folder = mkdtempSync(join(tmpdir(), 'pieces-'));
afterAll(() => rmSync(folder, { recursive: true }));

let terminal = textTerminal();
beforeEach(() => {
  terminal = textTerminal();
});

const RECORDS = 30_000;
const file = join(folder, 'large.zone');
const hosts = Array.from({ length: RECORDS }, (_, index) => `h${index} A 192.0.2.${index % 250}`);
writeFileSync(file, ['$TTL 300', ...hosts].join('\n'));
const input = await openInput(file, terminal);
afterAll(() => input.close());

const shown = { status: 200, body: { domain: {} } };
const answer = (unchanged: number) => ({
  status: 200,
  body: { changes: { created: [{}], updated: [], deleted: [], unchanged }, set_aside: [], warnings: [] },
});

test('a large file is sent in pieces that contain each record once, and the counts are added up', async () => {
  server.answers = [shown, answer(24_999), answer(4_999)];
  await importInPieces(client, terminal, 'example.com', input, RECORDS, { yes: true, json: true });
  expect(JSON.parse(terminal.stdout)).toMatchObject({ created: 2, unchanged: 29_998 });
  const sent = server.asked
    .slice(1)
    .flatMap(({ body }) => body.split('\n').filter((line) => line.startsWith('h')));
  expect(sent).toHaveLength(RECORDS);
  expect(new Set(sent.map((line) => line.split(' ')[0])).size).toBe(RECORDS);
  expect(server.asked.map(({ request }) => request)).toEqual(['GET ', 'POST /zonefile', 'POST /zonefile']);
});

test('reports of the pieces are added up, with the line numbers of the file', async () => {
  const adjusted = {
    code: 'owner_case',
    message: 'DNS ignores it',
    count: 2,
    examples: [{ line: 3, record: 'x' }],
  };
  const some = { ...answer(1), body: { ...answer(1).body, adjusted: [adjusted] } };
  server.answers = [shown, some, some];
  await importInPieces(client, terminal, 'example.com', input, RECORDS, { yes: true });
  expect(terminal.stderr).toMatch(/^adjusted: line (?:3|25003): x and 3 more: DNS ignores it$/m);
  expect(terminal.stderr).toContain(' 0 skipped, 4 adjusted\n');
});

test('problems of a piece are printed with the line numbers of the file', async () => {
  const problems = [{ line: 3, column: 1, code: 'c', message: 'no' }];
  const refusal = { status: 400, body: { error: 'wrong', status: 400, problems, more: 0 } };
  server.answers = [shown, refusal, answer(1)];
  const failed = await importInPieces(client, terminal, 'example.com', input, RECORDS, { yes: true }).catch(
    (error: unknown) => error,
  );
  // The piece begins with $ORIGIN, the file with $TTL.
  const first = server.asked.slice(1).findIndex(({ body }) => body.includes('\nh0 '));
  const line = first === 0 ? 3 : 25_003;
  expect(failed).toMatchObject({ status: 400, problems: [{ line, message: 'no' }] });
});

test('small files and replacements are sent in one request', () => {
  expect(countForPieces(terminal, 'example.com', input, {})).toBeUndefined();
  const large = { ...input, sizeBytes: 64 * 2 ** 20 };
  expect(countForPieces(terminal, 'example.com', large, { replace: true })).toBeUndefined();
});

test('a zone larger than one request is merged in pieces and cannot be replaced', () => {
  const large = { ...input, sizeBytes: 64 * 2 ** 20 + 1 };
  expect(countForPieces(terminal, 'example.com', large, {})).toBe(RECORDS);
  expect(() => countForPieces(terminal, 'example.com', large, { replace: true })).toThrow('at most 67108864');
});

test('a domain can be given in U-labels', () => {
  const large = { ...input, sizeBytes: 64 * 2 ** 20 + 1 };
  expect(countForPieces(terminal, 'bücher.example', large, {})).toBe(RECORDS);
});

test('all mistakes of a large file are printed before anything is sent', async () => {
  const large = join(folder, 'large-broken.zone');
  writeFileSync(large, `a A 192.0.2.1\nb 300 A 192.0.2.300\n${`; ${'x'.repeat(98)}\n`.repeat(21_000)}`);
  const broken = await openInput(large, terminal);
  expect(() => countForPieces(terminal, 'example.com', broken, {})).toThrow(
    'has 2 mistakes; nothing was sent',
  );
  broken.close();
  expect(terminal.stderr).toMatch(/^line 1, column \d+: .*TTL.*\nline 2, column \d+: .*\n$/);
});

test.each([
  ['--if-match', { ifMatch: '"1"' }],
  ['--if-none-match', { ifNoneMatch: '*' }],
])('%s is refused for several pieces', async (option, condition) => {
  const options = { yes: true, ...condition };
  await expect(importInPieces(client, terminal, 'example.com', input, RECORDS, options)).rejects.toThrow(
    `: ${option} cannot apply`,
  );
  expect(server.asked).toEqual([]);
});
