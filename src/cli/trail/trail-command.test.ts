import { expect, test } from 'vitest';
import { prepareServer } from '../command-line.test-support.ts';

const server = await prepareServer();
const { run } = server;

const meta = { total: 2, links: { next: '', prev: '' } };
const date = '2026-11-20T14:00:09+00:00';
const entry = {
  ...{ id: 2, account: 'a1', date, action: 'key.create', actor: 'user:u1', actor_name: 'anna@example.com' },
  ...{ address: '192.0.2.9', object: 'k1', detail: { label: 'terraform', scope: 'full' } },
  ...{ count: 1, date_first: date },
};
const refused = {
  ...{ ...entry, id: 1, account: null, action: 'session.refuse', actor: '', actor_name: '' },
  ...{ address: null, object: '', detail: null, count: 7 },
};

test('trail prints an entry a line, latest first, up to --limit', async () => {
  server.answers = [1, 2, 3].map(() => ({ status: 200, body: { trail: [entry, refused], meta } }));
  expect((await run('trail')).stdout).toBe(
    `${date}\tkey.create\tanna@example.com\t192.0.2.9\tk1\tlabel: terraform, scope: full\n` +
      `${date}\tsession.refuse (7 times)\t-\t-\t-\t-\n`,
  );
  const { stdout } = await run('trail --limit 1 --json');
  expect(JSON.parse(stdout)).toEqual([entry]);
  expect((await run('trail --account all')).stdout).toContain('full\ta1\n');
});

test('trail sends its filters', async () => {
  server.answers = [{ status: 200, body: { trail: [], meta } }];
  const filter = '--action key. --actor u1 --object k1 --address 192.0.2.9';
  const { exitCode } = await run(`trail ${filter} --from 2026-11-01T00:00:00Z --to 2026-12-01T00:00:00Z`);
  expect(exitCode).toBe(0);
  const asked = new URL(server.asked[0].request.slice('GET '.length), server.url);
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    ...{ action: 'key.', actor: 'u1', object: 'k1', address: '192.0.2.9', per_page: '500' },
    ...{ from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' },
  });
});

test('trail --json-lines prints the export as it is', async () => {
  const lines = `${JSON.stringify(refused)}\n${JSON.stringify(entry)}\n`;
  server.answers = [{ status: 200, body: lines, headers: { 'content-type': 'application/x-ndjson' } }];
  expect((await run('trail --json-lines --account a1')).stdout).toBe(lines);
  expect(server.asked[0].request).toBe('GET /v2/trail/export?account=a1');
});
