import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const folder = mkdtempSync(join(tmpdir(), 'zw-plan-'));
const file = join(folder, 'example.com.zone');
writeFileSync(file, 'www 300 A 192.0.2.1\n');
afterAll(() => rmSync(folder, { recursive: true }));

const meta = { total: 0, links: { next: '', prev: '' } };
const domains = { status: 200, body: { domains: [], meta } };
const domain = { status: 200, body: { domain: {} }, headers: { etag: '"7"' } };
const old = { id: 'x', type: 'A', name: 'old', data: '192.0.2.9', priority: -1, ttl: 300 };

function dryRun(deleted: object[], unchanged = 1) {
  const changes = { created: [], updated: [], deleted, unchanged };
  return { status: 200, body: { dry_run: true, changes, warnings: [] } };
}

function history(...notes: string[]) {
  const changes = notes.map((note) => ({ note, old: null, new: old }));
  return { status: 200, body: { changes, meta } };
}

const copy = () => server.run(['copy', '--from', `file:${file}`, '--yes']);
const requests = () => server.asked.map(({ request }) => request);

test('records whose origin the history does not reach are kept, and the copy is not called complete', async () => {
  server.answers = [domains, domain, dryRun([old]), history(), dryRun([])];
  const { exitCode, stderr } = await copy();
  expect(exitCode).toBe(11);
  expect(stderr).toContain(
    'nothing was changed (1 domain, 1 record as at the source); 1 record of unknown origin',
  );
  expect(stderr).toContain('the newest part of the history does not say whether a copy brought them');
  expect(requests().slice(2)).toEqual([
    'PUT /zonefile?dry_run=true',
    'GET /changes?per_page=500',
    'POST /zonefile?dry_run=true',
  ]);
});

test('records that this source brought are deleted from the planned revision only', async () => {
  const written = {
    status: 200,
    body: { changes: { created: [], updated: [], deleted: [old], unchanged: 1 } },
  };
  server.answers = [domains, domain, dryRun([old]), history(`copied from the file ${file}`), written];
  const { exitCode, stdout } = await copy();
  expect([exitCode, stdout]).toEqual([0, 'example.com\tcopied\t0\t0\t1\t1\t0\t0\n']);
  expect(server.asked.at(-1)).toMatchObject({ request: 'PUT /zonefile', headers: { 'if-match': '"7"' } });
});

test('a source without any records does not delete what it had', async () => {
  server.answers = [domains, domain, dryRun([old], 0), history(`copied from the file ${file}`)];
  const { exitCode, stderr } = await copy();
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    'example.com: problem: the source has no records, and 1 record that it had would be deleted: use --replace',
  );
  expect(requests().filter((request) => !request.startsWith('GET'))).toEqual(['PUT /zonefile?dry_run=true']);
});

test('the domain’s own NS records are never deleted', async () => {
  const ns = { ...old, name: '', type: 'NS', data: 'ns1.example.net' };
  server.answers = [domains, domain, dryRun([ns]), history(`copied from the file ${file}`), dryRun([])];
  expect((await copy()).exitCode).toBe(0);
  expect(requests().at(-1)).toBe('POST /zonefile?dry_run=true');
});

test('a domain that cannot be replaced is merged, and the last line does not say that both sides are equal', async () => {
  const refusal = { status: 400, body: { error: 'too many records', status: 400 } };
  server.answers = [domains, domain, refusal, dryRun([])];
  const { exitCode, stderr } = await copy();
  expect(exitCode).toBe(11);
  expect(stderr).toContain('nothing was changed (');
  expect(stderr).toContain('in 1 domain, records that are gone at the source could not be looked for');
});
