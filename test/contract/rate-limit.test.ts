import { expect, test } from 'vitest';
import { createAccount, createDomain, expectError, listRecords } from '../harness/fixtures.ts';
import type { HttpReply } from '../harness/http-client.ts';
import { startForFile } from '../harness/service.ts';

/** Small enough to be exceeded quickly, large enough to prepare a test. */
const LIMIT = 10;
const service = await startForFile({ ZONEWRIGHT_RATE_LIMIT: String(LIMIT) });

test('rule 10: a request beyond the limit is 429 with Retry-After, before any side effect', async () => {
  const { http } = await createAccount(service);
  const domain = await createDomain({ http });
  await refill();
  const creates = Array.from({ length: 8 * LIMIT }, (_, i) =>
    http.post(`/v2/domains/${domain}/records`, { type: 'TXT', name: `n${i}`, data: `value ${i}`, ttl: 60 }),
  );
  const replies = await Promise.all(creates);
  const created = replies.filter((reply) => reply.status === 201);
  const limited = replies.filter((reply) => reply.status === 429);
  expect(created.length + limited.length).toBe(replies.length);
  expect(created.length).toBeGreaterThanOrEqual(1);
  expect(limited.length).toBeGreaterThanOrEqual(LIMIT);
  for (const reply of limited) {
    expectError(reply, 429);
    expect(reply.headers['retry-after']).toMatch(/^[1-9]\d?$/);
  }

  await waitAsTold(limited[0]);
  const names = (await listRecords({ http }, domain))
    .filter((record) => record.type === 'TXT')
    .map(({ name }) => name);
  expect(names.sort()).toEqual(created.map((reply) => reply.json.record!.name).sort());
});

test('rule 10: a client that waits for Retry-After is served again', async () => {
  const { http } = await createAccount(service);
  for (let round = 0; round < 2; round++) {
    const replies = await Promise.all(Array.from({ length: 5 * LIMIT }, () => http.get('/v2/domains')));
    const limited = replies.find((reply) => reply.status === 429);
    expect(limited).toBeDefined();
    await waitAsTold(limited!);
    expect((await http.get('/v2/domains')).status).toBe(200);
  }
});

test('rule 10: the limit is per key', async () => {
  const noisy = await createAccount(service);
  await refill();
  const quiet = await createAccount(service);
  const replies = await Promise.all(Array.from({ length: 5 * LIMIT }, () => noisy.http.get('/v2/domains')));
  expect(replies.some((reply) => reply.status === 429)).toBe(true);
  expect((await quiet.http.get('/v2/domains')).status).toBe(200);
});

test('rule 10: requests without a key are always 403', async () => {
  const replies = await Promise.all(
    Array.from({ length: 5 * LIMIT }, () => service.http.get('/v2/domains', { key: null })),
  );
  for (const reply of replies) expectError(reply, 403);
});

test('rule 10: every response has RateLimit-Policy and RateLimit as in the draft', async () => {
  await refill();
  const { http } = await createAccount(service);
  const replies = [
    await http.get('/v2/domains'),
    await http.get('/v2/nowhere'),
    await http.post('/v2/domains', '{'),
    await http.get('/v2/domains', { key: null }),
    ...(await Promise.all(Array.from({ length: 5 * LIMIT }, () => http.get('/v2/domains')))),
  ];
  expect(replies.some((reply) => reply.status === 429)).toBe(true);
  for (const { status, headers } of replies) {
    const policy = parseItem(headers['ratelimit-policy']);
    const state = parseItem(headers['ratelimit']);
    expect(state.name, `${status}`).toBe(policy.name);
    expect(policy.parameters['q']).toBeGreaterThanOrEqual(LIMIT);
    expect(state.parameters['r']).toBeLessThanOrEqual(policy.parameters['q']);
    if (status === 429) expect(state.parameters['r']).toBe(0);
  }
  const remaining = replies.slice(0, 2).map((reply) => parseItem(reply.headers['ratelimit']).parameters['r']);
  expect(remaining[1]).toBeLessThanOrEqual(remaining[0]);
});

/** An item of a structured field list: `"default";q=10;w=1`. */
function parseItem(header: string | string[] | undefined): {
  name: string;
  parameters: Record<string, number>;
} {
  const match = /^("[\w .:-]+"|[\w-]+)((?:;\s?[a-z]+=[\w":.-]+)+)$/.exec(String(header));
  expect(match, `header: ${String(header)}`).not.toBeNull();
  const parameters = match![2]
    .split(';')
    .slice(1)
    .map((part) => part.trim().split('='));
  return {
    name: match![1],
    parameters: Object.fromEntries(parameters.map(([name, value]) => [name, Number(value)])),
  };
}

function waitAsTold(reply: HttpReply): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Number(reply.headers['retry-after']) * 1000));
}

/** Long enough to refill the quota of each key in this file. */
function refill(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2_100));
}
