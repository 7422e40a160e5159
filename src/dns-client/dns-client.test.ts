import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { decode, encode, type Packet } from 'dns-packet';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../../test/harness/free-port.ts';
import { rrType } from '../dns/codes.ts';
import { askName } from './ask-rrset.ts';
import { DnsClient } from './dns-client.ts';
import { getZoneName } from '../cli/names/zone-names.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type Answerer = (query: Packet, overTcp: boolean) => object | undefined;

/** A nameserver with answers from the test, on one port over UDP and TCP; undefined drops the question. */
async function startServer(answer: Answerer): Promise<number> {
  const port = await freePort();
  const reply = (bytes: Uint8Array, overTcp: boolean): Uint8Array | undefined => {
    const query = decode(bytes);
    const members = answer(query, overTcp);
    return members && encode({ id: query.id, type: 'response', questions: query.questions, ...members });
  };
  const tcp = createServer((socket) => {
    socket.on('data', (bytes) => {
      const message = reply(bytes.subarray(2), true);
      if (message === undefined) socket.destroy();
      else
        socket.write(Buffer.concat([new Uint8Array([message.length >> 8, message.length & 0xff]), message]));
    });
    socket.on('error', () => undefined);
  }).listen(port, '127.0.0.1');
  await once(tcp, 'listening');
  const udp: Socket = createSocket('udp4', (bytes, { port: from, address }) => {
    const message = reply(bytes, false);
    if (message !== undefined) udp.send(message, from, address);
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  closing.push(
    () => tcp.close(),
    () => udp.close(),
  );
  return port;
}

/** The timeout if no answer is expected; otherwise it is long enough for a busy machine. */
const IN_VAIN_MS = 150;

async function openClient(answer: Answerer, timeoutMs = 20_000): Promise<DnsClient> {
  const client = await DnsClient.open({ host: '127.0.0.1', port: await startServer(answer) }, { timeoutMs });
  closing.unshift(() => {
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
  closing.push(() => {
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
