import { expect, onTestFinished, test } from 'vitest';
import { rrType } from '../dns/codes.ts';
import { askName } from './ask-rrset.ts';
import { DnsClient } from './dns-client.ts';
import { startNameserver, type Answerer } from './nameserver.test-support.ts';
import { getZoneName } from '../cli/names/zone-names.ts';

/** The timeout if no answer is expected; otherwise it is long enough for a busy machine. */
const IN_VAIN_MS = 150;

async function openClient(answer: Answerer, timeoutMs = 20_000): Promise<DnsClient> {
  const client = await DnsClient.open(await startNameserver(answer), { timeoutMs });
  onTestFinished(() => {
    client.close();
  });
  return client;
}

const name = getZoneName('www.example.com');
const address = { name: 'www.example.com', type: 'A', ttl: 60, class: 'IN', data: '192.0.2.1' };

test.each<[string, Answerer]>([
  ['is lost once', dropping((_, asked) => asked === 1)],
  ['is dropped over UDP', dropping((overTcp) => !overTcp)],
  ['is cut off', (_, overTcp) => (overTcp ? { answers: [address] } : { flags: 0x0200 })],
  [
    'is FORMERR for queries with EDNS',
    (query) => (query.additionals.length === 0 ? { answers: [address] } : { flags: 1, questions: [] }),
  ],
])('an answer that %s still arrives', async (_, answer) => {
  const client = await openClient(answer, IN_VAIN_MS);
  const answers = await askName(client, name, [rrType.A]);
  expect(answers.map(({ records }) => records.map(({ ttl }) => ttl))).toEqual([[60]]);
});

function dropping(isDropped: (overTcp: boolean, asked: number) => boolean): Answerer {
  let asked = 0;
  return (_, overTcp) => (isDropped(overTcp, ++asked) ? undefined : { answers: [address] });
}

test.each<[string, Answerer, string, RegExp]>([
  ['REFUSED', () => ({ flags: 5 }), 'refused', /answered REFUSED$/],
  ['SERVFAIL', () => ({ flags: 2 }), 'server_failed', /answered SERVFAIL$/],
  ['silence', () => undefined, 'malformed', /closed the connection without an answer$/],
])('%s causes a DnsFailure', async (_, answer, kind, message) => {
  const client = await openClient(answer, IN_VAIN_MS);
  await expect(client.ask(name, rrType.A)).rejects.toMatchObject({
    kind,
    message: expect.stringMatching(message) as string,
  });
});

test('the failure says that nothing listens', async () => {
  const client = await DnsClient.open({ host: '127.0.0.1', port: 1 }, { timeoutMs: 50 });
  onTestFinished(() => {
    client.close();
  });
  await expect(client.ask(name, rrType.A)).rejects.toMatchObject({ kind: 'unreachable' });
});

test('a missing name is queried once; after a CNAME record it may exist', async () => {
  let asked = 0;
  const alias = { name: 'www.example.com', type: 'CNAME', ttl: 60, class: 'IN', data: 'gone.example.com' };
  const client = await openClient((query) => {
    asked++;
    return query.questions[0]?.name === 'www.example.com' ? { flags: 3, answers: [alias] } : { flags: 3 };
  });
  const types = [rrType.A, rrType.CNAME, rrType.TXT];
  expect((await askName(client, name, types)).flatMap(({ records }) => records)).toHaveLength(1);
  expect(asked).toBe(3);
  expect(await askName(client, getZoneName('no.example.com'), types)).toHaveLength(1);
  expect(asked).toBe(4);
});

test('records of a delegation and its glue are read from the referral', async () => {
  const client = await openClient(() => ({
    authorities: [{ name: 'www.example.com', type: 'NS', ttl: 60, class: 'IN', data: 'www.example.com' }],
    additionals: [address],
  }));
  const answers = await askName(client, name, [rrType.NS, rrType.A, rrType.TXT]);
  expect(answers.map(({ records }) => records.length)).toEqual([1, 1, 0]);
});

test('an aborted signal ends a question with its reason, over UDP and over TCP', async () => {
  for (const overUdp of [undefined, { flags: 0x0200 }]) {
    const stop = new AbortController();
    const server = await startNameserver((_, overTcp) => {
      const isLast = overTcp || overUdp === undefined;
      if (isLast) stop.abort(new Error('enough'));
      return overTcp ? 'silence' : overUdp;
    });
    const client = await DnsClient.open(server, { timeoutMs: 20_000, signal: stop.signal });
    await expect(client.ask(name, rrType.A)).rejects.toThrow('enough');
    await expect(client.ask(name, rrType.A)).rejects.toThrow('enough');
    await expect(DnsClient.open(server, { signal: stop.signal })).rejects.toThrow('enough');
  }
});

test('a closed client rejects the questions in progress', async () => {
  const client = await openClient(() => {
    client.close();
    return undefined;
  });
  await expect(client.ask(name, rrType.A)).rejects.toMatchObject({ kind: 'unreachable' });
});

test('an answer that trickles in over TCP is given up', async () => {
  const client = await openClient((_, overTcp) => (overTcp ? 'trickle' : { flags: 0x0200 }), IN_VAIN_MS);
  await expect(client.ask(name, rrType.A)).rejects.toMatchObject({ kind: 'timeout' });
});

test('an address that the system cannot send to is unreachable', async () => {
  // The system refuses to send to the broadcast address.
  const open = DnsClient.open({ host: '255.255.255.255', port: 53 });
  await expect(open).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringMatching(/cannot send/) as string,
  });
});
