// Replays clients that Debian does not package: their exact bodies and headers, taken from their sources, and their
// way of reading the answer. One row per record, one sequence per client:
//
//   first look-up ─▶ POST ─▶ dig ─▶ POST again ─▶ find the id ─▶ change ─▶ dig ─▶ DELETE ─▶ dig

import type { Api, ApiResponse } from '../api.ts';
import { expectAnswers, expectStatus } from '../dig.ts';
import { expectEqual } from '../expect.ts';
import type { Bench, RunCase, Suite } from '../suite.ts';
import { replayedClients, type ReplayedClient, type ReplayedRecord } from './replayed-clients.ts';

export const replaySuite: Suite = {
  name: 'replay',
  run: async (runCase, bench) => {
    for (const client of replayedClients) await replayClient(runCase, bench, client);
  },
};

async function replayClient(runCase: RunCase, bench: Bench, client: ReplayedClient): Promise<void> {
  const { api } = bench;
  const { domain } = client;
  await runCase(`${client.name}: domain`, async () => {
    const created = await api.send('POST', '/v2/domains', client.domainBody, client.headers);
    expectEqual([created.status, created.body.domain?.domain], [201, domain], created.text);
    for (const path of client.lookups) {
      const found = await send(api, client, 'GET', path);
      expectEqual(
        [found.status, found.headers['content-type']],
        [200, 'application/json'],
        `GET ${path} ${found.text}`,
      );
    }
    return `201, ${client.lookups.length} look-ups answered`;
  });
  for (const record of client.records)
    await runCase(`${client.name}: ${record.body.trim().replace(/("data":"[^"]{40})[^"]*/, '$1…')}`, () =>
      replayRecord(bench, client, record),
    );
  await runCase(`${client.name}: domain removed`, async () => {
    const gone = await send(api, client, 'DELETE', `/v2/domains/${domain}`);
    expectEqual([gone.status, gone.text], [204, ''], 'DELETE');
    await expectStatus(bench.dig, domain, 'SOA', 'REFUSED');
    return '204, then REFUSED';
  });
}

async function replayRecord(
  { api, dig }: Bench,
  client: ReplayedClient,
  row: ReplayedRecord,
): Promise<string> {
  const records = `/v2/domains/${client.domain}/records`;
  const owner = row.stored.name === '' ? client.domain : `${row.stored.name}.${client.domain}`;

  const created = await send(api, client, 'POST', records, row.body);
  expectEqual(created.status, 201, `POST ${row.body} answered ${created.text}`);
  const { record } = created.body;
  if (!record) throw new Error(`POST ${row.body} answered no record: ${created.text}`);
  const { id } = record;
  expectEqual(record, { ...record, ...row.stored }, 'the created record');
  expectEqual(Object.keys(record), ['id', 'type', 'name', 'data', 'priority', 'ttl'], 'members');
  await expectAnswers(dig, owner, row.stored.type, [row.answer]);

  const again = await send(api, client, 'POST', records, row.body);
  expectEqual([again.status, again.body.record?.id], [200, id], `the repeated POST answered ${again.text}`);

  const listed = await send(api, client, 'GET', `${records}${client.listQuery}`);
  expectEqual(client.findId(listed, row), id, `the id that the client finds in ${listed.text}`);

  if (row.change) {
    const changed = await send(api, client, 'PATCH', `${records}/${id}`, row.change.body);
    expectEqual(
      [changed.status, changed.text],
      [204, ''],
      `PATCH ${row.change.body} answered ${changed.text}`,
    );
    await expectAnswers(dig, owner, row.stored.type, [row.change.answer]);
  }
  const gone = await send(api, client, 'DELETE', `${records}/${id}`);
  expectEqual([gone.status, gone.text], [204, ''], `DELETE answered ${gone.text}`);
  expectEqual((await dig(owner, row.stored.type)).answer, [], 'the answer after DELETE');
  return `201, 200, ${row.change ? '204, ' : ''}204; dig ${row.answer.slice(0, 40)}`;
}

function send(
  api: Api,
  client: ReplayedClient,
  method: string,
  path: string,
  body?: string,
): Promise<ApiResponse> {
  return api.send(method, path, body, client.headers);
}
