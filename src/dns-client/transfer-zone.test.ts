import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { encode, type Answer } from 'dns-packet';
import { afterEach, expect, test } from 'vitest';
import { formatDomainName } from '../dns/name.ts';
import { transferZone } from './transfer-zone.ts';
import { findTsigKey } from '../cli/connection/tsig-key.ts';
import { getZoneName } from '../cli/names/zone-names.ts';
import type { TsigKey } from '../dns/tsig.ts';

let server: Server | undefined;
afterEach(() => {
  server?.close();
});

const ALGORITHM = Buffer.from('\u000bhmac-sha256\u0000', 'latin1');
const KEY_NAME = Buffer.from('\u0003xfr\u0000', 'latin1');
const secret = Buffer.from('a secret of more than 32 octets, for a test');

/** Signs like a server (RFC 8945 section 5.3); written from the RFC, independent of the code under test. */
class Signer {
  private prior: Buffer;
  private unsigned: Buffer[] = [];
  private isFirst = true;

  constructor(query: Buffer) {
    // The query's MAC precedes its last six octets: original id, error, other length.
    this.prior = query.subarray(query.length - 6 - 32, query.length - 6);
  }

  skip(message: Buffer): Buffer {
    this.unsigned.push(message);
    return message;
  }

  sign(message: Buffer, error = 0, skewSeconds = 0): Buffer {
    const time = Buffer.alloc(6);
    time.writeUIntBE(Math.floor(Date.now() / 1000) + skewSeconds, 0, 6);
    const fudge = Buffer.from([1, 0x2c]);
    const rest = Buffer.from([0, error, 0, 0]);
    const named = Buffer.concat([KEY_NAME, Buffer.from([0, 255, 0, 0, 0, 0]), ALGORITHM, time, fudge, rest]);
    const mac = createHmac('sha256', secret)
      .update(Buffer.concat([Buffer.from([0, 32]), this.prior, ...this.unsigned, message]))
      .update(this.isFirst ? named : Buffer.concat([time, fudge]))
      .digest();
    [this.prior, this.unsigned, this.isFirst] = [mac, [], false];
    const data = Buffer.concat([
      ALGORITHM,
      time,
      fudge,
      Buffer.from([0, 32]),
      mac,
      message.subarray(0, 2),
      rest,
    ]);
    const head = Buffer.from([0, 250, 0, 255, 0, 0, 0, 0, data.length >> 8, data.length & 0xff]);
    const counted = Buffer.from(message);
    counted.writeUInt16BE(counted.readUInt16BE(10) + 1, 10);
    return Buffer.concat([counted, KEY_NAME, head, data]);
  }
}

const soa: Answer = {
  name: 'example.com',
  type: 'SOA',
  class: 'IN',
  ttl: 60,
  data: {
    mname: 'ns.example.net',
    rname: 'h.example.net',
    serial: 1,
    refresh: 2,
    retry: 3,
    expire: 4,
    minimum: 5,
  },
};
const a = (name: string): Answer => ({ name, type: 'A', class: 'IN', ttl: 60, data: '192.0.2.1' });
const [x, y] = [a('x.example.com'), a('y.example.com')];

/** Answers a transfer with the given messages. */
async function serve(messages: (query: Buffer, message: (...answers: Answer[]) => Buffer) => Buffer[]) {
  server = createServer((socket) => {
    socket.on('data', (bytes) => {
      const query = bytes.subarray(2);
      const message = (...answers: Answer[]) =>
        Buffer.from(encode({ id: query.readUInt16BE(0), type: 'response', questions: [], answers }));
      for (const reply of messages(query, message)) {
        socket.write(Buffer.concat([Buffer.from([reply.length >> 8, reply.length & 0xff]), reply]));
      }
      socket.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

const zone = getZoneName('example.com');

function key(): TsigKey {
  return findTsigKey(undefined, { ZONEWRIGHT_TSIG: `XFR:hmac-sha256:${secret.toString('base64')}` })!;
}

type Message = (...answers: Answer[]) => Buffer;

test.each<[string, (message: Message) => Buffer[]]>([
  ['one message', (message) => [message(soa, x, y, soa)]],
  ['a message a record', (message) => [message(soa), message(x), message(y), message(soa)]],
])('a zone comes in %s', async (_, messages) => {
  const records = await transferZone(await serve((_query, message) => messages(message)), zone);
  expect(records.map(({ owner }) => formatDomainName(owner))).toEqual([
    'example.com.',
    'x.example.com.',
    'y.example.com.',
  ]);
});

test.each<[string, (message: Message) => Buffer[], RegExp]>([
  ['does not begin with a SOA record', (message) => [message(x, soa)], /does not begin with the SOA/],
  ['ends early', (message) => [message(soa, x)], /closed the connection before the end/],
  ['is empty', (message) => [message()], /empty answer/],
  ['goes on behind its end', (message) => [message(soa, x, soa, y)], /follow the end/],
  ['is refused', (message) => [Buffer.from(message().fill(5, 3, 4))], /answered REFUSED/],
  ['has another id', (message) => [Buffer.from(message(soa, x, soa).fill(0, 0, 2))], /another question/],
  ['is no message', () => [Buffer.from('nonsense')], /shorter than a header/],
])('a transfer that %s is a failure', async (_, messages, problem) => {
  const at = await serve((_query, message) => messages(message));
  await expect(transferZone(at, zone)).rejects.toThrow(problem);
});

test.each<[string, (signer: Signer, message: Message) => Buffer[]]>([
  ['every message is signed', (s, m) => [s.sign(m(soa)), s.sign(m(x, y)), s.sign(m(soa))]],
  ['some messages are signed', (s, m) => [s.sign(m(soa)), s.skip(m(x)), s.skip(m(y)), s.sign(m(soa))]],
])('a transfer is verified where %s', async (_, messages) => {
  const at = await serve((query, message) => messages(new Signer(query), message));
  expect(await transferZone(at, zone, { key: key() })).toHaveLength(3);
});

test.each<[string, (signer: Signer, message: Message) => Buffer[], RegExp]>([
  ['no message is signed', (_s, m) => [m(soa, x, soa)], /the answer is not signed/],
  [
    'the last message is not signed',
    (s, m) => [s.sign(m(soa, x)), m(soa)],
    /last message of the answer is not signed/,
  ],
  [
    'a message was changed',
    (s, m) => [s.sign(m(soa, x)).fill(9, 40, 41), s.sign(m(soa))],
    /signature of the answer is wrong/,
  ],
  [
    'an unsigned message was left out',
    (s, m) => (s.skip(m(y)), [s.sign(m(soa, x)), s.sign(m(soa))]),
    /is wrong/,
  ],
  ['an unsigned message was put in', (s, m) => [s.sign(m(soa)), m(x), s.sign(m(soa))], /is wrong/],
  ['the clock is another', (s, m) => [s.sign(m(soa, x, soa), 0, -400)], /time of the signature is too far/],
  ['the key is unknown there', (s, m) => [s.sign(m(), 17)], /does not know the TSIG key/],
])('a signed transfer fails where %s', async (_, messages, problem) => {
  const at = await serve((query, message) => messages(new Signer(query), message));
  await expect(transferZone(at, zone, { key: key() })).rejects.toThrow(problem);
});

test.each([
  ['xfr:hmac-sha3:AAAA', /algorithm is not one of hmac-md5, /],
  ['xfr:c2VjcmV0:hmac-sha256', /^(?!.*c2VjcmV0)/],
  ['xfr:hmac-sha256:not base64', /^ZONEWRIGHT_TSIG does not hold a secret in base64$/],
  ['xfr:hmac-sha256', /^ZONEWRIGHT_TSIG is not name:algorithm:secret$/],
  ['a..b:hmac-sha256:AAAA', /name is malformed/],
])('%s is no TSIG key', (text, problem) => {
  expect(() => findTsigKey(undefined, { ZONEWRIGHT_TSIG: text })).toThrow(problem);
});
