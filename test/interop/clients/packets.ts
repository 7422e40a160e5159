// Packets that no correct resolver sends, written directly to the sockets: each gets the error that RFC 1035 defines
// for it or no answer, and the nameserver keeps working. Over TCP, streams are also cut in several ways.

import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { ZONE } from '../answers-zone.ts';
import { expectAnswers } from '../dig.ts';
import { expectEqual, expectOneOf } from '../expect.ts';
import type { RunCase, Suite } from '../suite.ts';

/** Loopback answers within a millisecond; the rest is for a busy machine. */
const ANSWER_TIMEOUT_MS = 20_000;
/** After this time without an answer, a packet counts as unanswered. */
const SILENCE_MS = 250;
const PIPELINED_QUERIES = 200;
const RANDOM_PACKETS = 3_000;

const FORMERR = 1;
const NOTIMP = 4;
const REFUSED = 5;
const NOTAUTH = 9;
const NOERROR = 0;

interface Row {
  readonly title: string;
  readonly packet: Buffer;
  /** The accepted rcodes; empty means no answer. */
  readonly rcodes: readonly number[];
}

const QUESTION = question(`www.${ZONE}`);

const rows: readonly Row[] = [
  { title: 'nothing at all', packet: Buffer.alloc(0), rcodes: [] },
  { title: 'one byte', packet: Buffer.from([0]), rcodes: [] },
  { title: 'a header cut short', packet: message({}).subarray(0, 11), rcodes: [] },
  {
    title: 'an answer instead of a question',
    packet: message({ flags: 0x8000, body: [QUESTION] }),
    rcodes: [],
  },
  {
    title: 'an answer that reports an error',
    packet: message({ flags: 0x8001, body: [QUESTION] }),
    rcodes: [],
  },
  { title: 'no question', packet: message({ counts: [0, 0, 0, 0] }), rcodes: [FORMERR] },
  { title: 'a question announced and missing', packet: message({}), rcodes: [FORMERR] },
  {
    title: 'two questions',
    packet: message({ counts: [2, 0, 0, 0], body: [QUESTION, QUESTION] }),
    rcodes: [FORMERR],
  },
  {
    title: 'a name that runs over the end',
    packet: message({ body: [Buffer.from([63, 1, 2, 3])] }),
    rcodes: [FORMERR],
  },
  { title: 'a name without an end', packet: message({ body: [Buffer.from('\x03www')] }), rcodes: [FORMERR] },
  {
    title: 'a label type that is not defined',
    packet: message({ body: [Buffer.from([0x41, 1, 0, 0, 1, 0, 1])] }),
    rcodes: [FORMERR],
  },
  {
    title: 'a pointer to itself',
    packet: message({ body: [Buffer.from([0xc0, 12, 0, 1, 0, 1])] }),
    rcodes: [FORMERR],
  },
  {
    title: 'a pointer ahead',
    packet: message({ body: [Buffer.from([0xc0, 40, 0, 1, 0, 1])] }),
    rcodes: [FORMERR],
  },
  {
    title: 'a pointer into the header',
    packet: message({ body: [Buffer.from([0xc0, 4, 0, 1, 0, 1])] }),
    rcodes: [FORMERR],
  },
  {
    title: 'a name over 255 octets',
    packet: message({ body: [question('a.'.repeat(127) + 'toolong')] }),
    rcodes: [FORMERR],
  },
  {
    title: 'a name without type and class',
    packet: message({ body: [QUESTION.subarray(0, -4)] }),
    rcodes: [FORMERR],
  },
  {
    title: 'a type without a class',
    packet: message({ body: [QUESTION.subarray(0, -2)] }),
    rcodes: [FORMERR],
  },
  {
    title: 'an additional record announced and missing',
    packet: message({ counts: [1, 0, 0, 1], body: [QUESTION] }),
    rcodes: [FORMERR],
  },
  {
    title: 'two OPT records',
    packet: message({ counts: [1, 0, 0, 2], body: [QUESTION, opt(), opt()] }),
    rcodes: [FORMERR],
  },
  {
    title: 'an OPT record that is not at the root',
    packet: message({ counts: [1, 0, 0, 1], body: [QUESTION, Buffer.from('\x01x'), opt()] }),
    rcodes: [FORMERR],
  },
  {
    title: 'an OPT record longer than the packet',
    packet: message({ counts: [1, 0, 0, 1], body: [QUESTION, opt(Buffer.alloc(0), 99)] }),
    rcodes: [FORMERR],
  },
  {
    title: 'an EDNS option longer than its record',
    packet: message({ counts: [1, 0, 0, 1], body: [QUESTION, opt(Buffer.from([0, 10, 0, 99]))] }),
    rcodes: [FORMERR],
  },
  {
    title: 'bytes behind the message',
    packet: message({ body: [QUESTION, Buffer.alloc(40)] }),
    rcodes: [FORMERR, NOERROR],
  },
  {
    title: 'type 0',
    packet: message({ body: [question(`www.${ZONE}`, 0)] }),
    rcodes: [NOERROR, FORMERR, NOTIMP, REFUSED],
  },
  {
    title: 'type OPT in the question',
    packet: message({ body: [question(`www.${ZONE}`, 41)] }),
    rcodes: [NOERROR, FORMERR, NOTIMP, REFUSED],
  },
  {
    title: 'type TSIG in the question',
    packet: message({ body: [question(`www.${ZONE}`, 250)] }),
    rcodes: [NOERROR, FORMERR, NOTIMP, REFUSED],
  },
  {
    title: 'type IXFR without a SOA',
    packet: message({ body: [question(ZONE, 251)] }),
    rcodes: [FORMERR, NOTIMP, REFUSED, NOTAUTH],
  },
  {
    title: 'type MAILA',
    packet: message({ body: [question(`www.${ZONE}`, 254)] }),
    rcodes: [NOERROR, FORMERR, NOTIMP, REFUSED],
  },
  {
    title: 'class 0',
    packet: message({ body: [question(`www.${ZONE}`, 1, 0)] }),
    rcodes: [FORMERR, NOTIMP, REFUSED],
  },
  {
    title: 'class NONE',
    packet: message({ body: [question(`www.${ZONE}`, 1, 254)] }),
    rcodes: [FORMERR, NOTIMP, REFUSED],
  },
];

export const packetsSuite: Suite = {
  name: 'packets',
  run: async (runCase, { dig, service }) => {
    const { dnsPort: port } = service;
    for (const { title, packet, rcodes } of rows)
      await runCase(title, async () => {
        const reply = await askUdp(port, packet, rcodes.length === 0 ? SILENCE_MS : ANSWER_TIMEOUT_MS);
        if (rcodes.length === 0) {
          expectEqual(reply?.toString('hex'), undefined, 'an answer to what needs none');
          return 'silence';
        }
        if (!reply) throw new Error(`no answer to ${packet.toString('hex')}`);
        checkReply(packet, reply);
        expectOneOf(rcodeOf(reply), rcodes, `rcode in answer to ${packet.toString('hex')}`);
        return `rcode ${rcodeOf(reply)}`;
      });
    await runCase(`${RANDOM_PACKETS} packets of chance`, async () => {
      const answered = await sendRandomPackets(port);
      await expectAnswers(dig, `www.${ZONE}`, 'A', ['192.0.2.1', '192.0.2.2']);
      return `${answered} answered, and it still serves`;
    });
    await tcpCases(runCase, port);
    await runCase('and after all that it serves', async () => {
      await expectAnswers(dig, `www.${ZONE}`, 'A', ['192.0.2.1', '192.0.2.2']);
      await expectAnswers(dig, `www.${ZONE}`, 'AAAA', ['2001:db8::1']);
      expectEqual((await dig(`www.${ZONE}`, 'A', '+tcp')).answer.length, 2, 'answers over TCP');
      return 'UDP and TCP';
    });
  },
};

async function tcpCases(runCase: RunCase, port: number): Promise<void> {
  const query = message({ body: [QUESTION] });
  await runCase('TCP: one byte at a time', async () => {
    const [reply] = await askTcp(
      port,
      [...frame(query)].map((byte) => Buffer.from([byte])),
      1,
    );
    checkReply(query, reply);
    return 'answered';
  });
  await runCase(`TCP: ${PIPELINED_QUERIES} questions in one write`, async () => {
    const queries = Array.from({ length: PIPELINED_QUERIES }, (_, id) => message({ id, body: [QUESTION] }));
    const replies = await askTcp(port, [Buffer.concat(queries.map(frame))], PIPELINED_QUERIES);
    const ids = replies.map((reply) => reply.readUInt16BE(0)).sort((one, other) => one - other);
    expectEqual(
      ids,
      Array.from({ length: PIPELINED_QUERIES }, (_, id) => id),
      'the ids of the answers',
    );
    return `${replies.length} answers`;
  });
  await runCase('TCP: the question sent, the sending side closed', async () => {
    const [reply] = await askTcp(port, [frame(query)], 1, { end: true });
    checkReply(query, reply);
    return 'answered';
  });
  await runCase('TCP: a frame of nothing, a frame of one byte, garbage', async () => {
    for (const bytes of [
      [0, 0],
      [0, 1, 7],
      [0xff, 0xff, 1, 2, 3],
      Array.from({ length: 600 }, (_, index) => index),
    ])
      await askTcp(port, [Buffer.from(bytes)], 0);
    const [reply] = await askTcp(port, [frame(query)], 1);
    checkReply(query, reply);
    return 'the next connection is served';
  });
  await runCase('TCP: cut in the middle of a question', async () => {
    for (let length = 0; length < query.length; length += 5)
      await askTcp(port, [frame(query).subarray(0, length)], 0);
    const [reply] = await askTcp(port, [frame(query)], 1);
    checkReply(query, reply);
    return 'the next connection is served';
  });
}

/** Checks that the answer matches the packet: same id and opcode, marked as an answer. */
function checkReply(packet: Buffer, reply: Buffer | undefined): void {
  if (!reply) throw new Error('no answer');
  expectEqual(reply.length >= 12, true, `a whole header in ${reply.toString('hex')}`);
  expectEqual(reply.readUInt16BE(0), packet.readUInt16BE(0), 'id');
  expectEqual(reply.readUInt16BE(2) & 0xf800, 0x8000 | (packet.readUInt16BE(2) & 0x7800), 'QR and opcode');
}

function rcodeOf(reply: Buffer): number {
  return reply.readUInt8(3) & 0x0f;
}

function askUdp(port: number, packet: Buffer, waitMs: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    const finish = (reply?: Buffer): void => {
      clearTimeout(timer);
      socket.close();
      resolve(reply);
    };
    const timer = setTimeout(() => finish(), waitMs);
    socket.once('message', finish);
    socket.once('error', reject);
    socket.send(packet, port, '127.0.0.1');
  });
}

/** Sends random and damaged questions, in the same sequence in every run; returns the number of answers. */
function sendRandomPackets(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    let answered = 0;
    let sent = 0;
    const random = randomBytes(20_261_120);
    socket.on('message', () => (answered += 1));
    socket.once('error', reject);
    const sendSome = (): void => {
      for (let burst = 0; burst < 50; burst += 1) socket.send(randomPacket(random), port, '127.0.0.1');
      sent += 50;
      if (sent < RANDOM_PACKETS) setTimeout(sendSome, 1);
      else
        setTimeout(() => {
          socket.close();
          resolve(answered);
        }, SILENCE_MS);
    };
    sendSome();
  });
}

function randomPacket(random: () => number): Buffer {
  const packet =
    random() < 64
      ? Buffer.from(Array.from({ length: random() }, random))
      : message({ counts: [1, 0, 0, 1], body: [QUESTION, opt()] });
  for (let damage = random() % 4; damage > 0 && packet.length > 4; damage -= 1)
    packet[random() % packet.length] = random();
  return packet.subarray(0, random() < 200 ? packet.length : random() % (packet.length + 1));
}

/** Bytes from a small generator (xorshift), so that a failing run can be repeated. */
function randomBytes(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  };
}

/** Writes the chunks in order and reads `count` answers; with 0, closes immediately. */
function askTcp(
  port: number,
  chunks: readonly Buffer[],
  count: number,
  { end = false }: { end?: boolean } = {},
): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    const replies: Buffer[] = [];
    let buffered = Buffer.alloc(0);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`${replies.length} of ${count} answers within ${ANSWER_TIMEOUT_MS} ms`));
    }, ANSWER_TIMEOUT_MS);
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(replies);
    };
    socket.on('error', (error) => {
      // A nameserver may reset a connection that sends garbage.
      if (count === 0) return finish();
      clearTimeout(timer);
      reject(error);
    });
    socket.on('data', (chunk: Buffer) => {
      buffered = Buffer.concat([buffered, chunk]);
      while (buffered.length >= 2 && buffered.length >= 2 + buffered.readUInt16BE(0)) {
        const length = 2 + buffered.readUInt16BE(0);
        replies.push(buffered.subarray(2, length));
        buffered = buffered.subarray(length);
      }
      if (count > 0 && replies.length >= count) finish();
    });
    socket.once('connect', () => {
      void writeSlowly(chunks, (chunk) => socket.write(chunk)).then(() => {
        if (end) socket.end();
        if (count === 0) setTimeout(finish, 10);
      });
    });
  });
}

async function writeSlowly(chunks: readonly Buffer[], write: (chunk: Buffer) => void): Promise<void> {
  for (const chunk of chunks) {
    write(chunk);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function frame(packet: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(packet.length);
  return Buffer.concat([length, packet]);
}

interface Message {
  readonly id?: number;
  readonly flags?: number;
  readonly counts?: readonly [number, number, number, number];
  readonly body?: readonly Buffer[];
}

/** The header (one question by default) and the rest of the message. */
function message({ id = 0x5a5a, flags = 0, counts = [1, 0, 0, 0], body = [] }: Message): Buffer {
  const header = Buffer.alloc(12);
  [id, flags, ...counts].forEach((value, index) => header.writeUInt16BE(value, index * 2));
  return Buffer.concat([header, ...body]);
}

function question(name: string, type = 1, rrClass = 1): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'));
  return Buffer.concat([...labels, Buffer.from([0, type >> 8, type & 255, rrClass >> 8, rrClass & 255])]);
}

/** An OPT record that offers 1,232 bytes; `length` can contradict the real length of its options. */
function opt(options: Buffer = Buffer.alloc(0), length: number = options.length): Buffer {
  return Buffer.concat([Buffer.from([0, 0, 41, 0x04, 0xd0, 0, 0, 0, 0, length >> 8, length & 255]), options]);
}
