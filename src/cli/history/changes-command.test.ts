import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

const meta = { total: 3, links: { next: '', prev: '' } };
const www = { id: 'x', type: 'A', name: 'www', data: '192.0.2.1', priority: -1, ttl: 300 };
const base = {
  serial: 7,
  date: '2026-11-20T14:00:09+00:00',
  key: 'k1',
  address: null,
  note: null,
  soa: null,
};
const soa = { before: { nsprimary: null, email: null }, after: { nsprimary: 'ns9.example', email: null } };
const history = [
  { ...base, action: 'delete', old: www, new: null, address: '192.0.2.9', note: 'gone' },
  { ...base, serial: 6, action: 'create', old: null, new: { ...www, type: 'MX', data: 'm', priority: 10 } },
  { ...base, serial: 5, action: 'domain_update', old: null, new: null, soa },
];

test('changes are printed one per line, newest first, up to --limit', async () => {
  server.answers = [1, 2].map(() => ({ status: 200, body: { changes: history, meta } }));
  expect((await run('changes example.com')).stdout).toBe(
    '2026-11-20T14:00:09+00:00\t7\tdelete\twww 300 A 192.0.2.1\t-\tk1\t192.0.2.9\tgone\n' +
      '2026-11-20T14:00:09+00:00\t6\tcreate\t-\twww 300 MX 10 m\tk1\t-\t-\n' +
      '2026-11-20T14:00:09+00:00\t5\tdomain_update\tSOA default default\tSOA ns9.example default\tk1\t-\t-\n',
  );
  const { stdout } = await run('changes example.com --limit 1 --json');
  expect(JSON.parse(stdout)).toEqual([history[0]]);
});

test('changes sends who and when', async () => {
  server.answers = [{ status: 200, body: { changes: [], meta: { ...meta, total: 0 } } }];
  const times = '--from 2026-11-20T00:00:00Z --to 2026-11-21T00:00:00Z';
  const { exitCode } = await run(`changes example.com --actor u1 ${times}`);
  expect(exitCode).toBe(0);
  const asked = new URL(server.asked[0].request.slice('GET '.length), server.url);
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    ...{ actor: 'u1', per_page: '500' },
    ...{ from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' },
  });
});

test('a change of only the character-strings of a text shows them', async () => {
  const text = { ...www, type: 'TXT', data: '"ab"' };
  const strings = { before: '"ab"', after: '"a" "b"' };
  const change = { ...base, action: 'update', old: text, new: text, strings };
  server.answers = [{ status: 200, body: { changes: [change], meta: { ...meta, total: 1 } } }];
  expect((await run('changes example.com')).stdout).toContain('\twww 300 TXT "ab"\twww 300 TXT "a" "b"\t');
});
