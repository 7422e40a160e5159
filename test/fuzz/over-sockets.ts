/**
 * Fuzzes a complete nameserver over UDP and TCP on loopback. Every packet that is due an answer must get exactly one,
 * and no other may get any; streams with wrong lengths or early ends must not affect the rest.
 */

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { ListenAddress } from '../../src/nameserver/listen-address.ts';
import type { Random } from '../harness/random.ts';
import { checkReply, isAnswerDue } from './check-reply.ts';
import type { Finding } from './in-process.ts';
import { mutatePacket } from './mutate-packet.ts';

/** A burst is much smaller than the sockets' receive buffers, so nothing may be lost. */
const UDP_BURST = 64;
const UDP_WAIT_MS = 3_000;
const FRAMES_A_CONNECTION = 20;
const TCP_WAIT_MS = 5_000;
/** A longer frame ends its connection. */
const MOST_TCP_QUERY_BYTES = 4_096;

export interface SocketFuzz {
  readonly to: ListenAddress;
  readonly corpus: readonly Uint8Array[];
  readonly random: Random;
  readonly packets: number;
}

/** @returns the first finding, undefined when there is none */
export async function fuzzUdp({ to, corpus, random, packets }: SocketFuzz): Promise<Finding | undefined> {
  const socket = createSocket('udp4');
  socket.connect(to.port, to.host);
  await once(socket, 'connect');
  try {
    let id = 0;
    for (let sent = 0; sent < packets; sent += UDP_BURST) {
      const burst = Array.from({ length: UDP_BURST }, () =>
        withId(mutatePacket(random, corpus), ++id & 0xffff),
      );
      const finding = await sendBurst(socket, burst);
      if (finding !== undefined) return finding;
    }
    return undefined;
  } finally {
    socket.close();
  }
}

/** IDs wrap around so slowly that late and duplicate answers are distinguishable from expected ones. */
async function sendBurst(socket: Socket, burst: readonly Uint8Array[]): Promise<Finding | undefined> {
  const waiting = new Map(burst.filter(isAnswerDue).map((packet) => [idOf(packet), packet]));
  return new Promise((resolve) => {
    const done = (finding?: Finding): void => {
      clearTimeout(wait);
      socket.removeAllListeners('message');
      resolve(finding);
    };
    const wait = setTimeout(() => {
      const [packet] = waiting.values();
      done({ packet, problem: `no answer over UDP, as to ${waiting.size} of ${burst.length}` });
    }, UDP_WAIT_MS);
    socket.on('message', (reply) => {
      const packet = waiting.get(idOf(reply));
      if (packet === undefined) return done({ packet: reply, problem: 'an answer to no query' });
      waiting.delete(idOf(reply));
      const problem = checkReply(packet, reply, false);
      if (problem !== undefined) return done({ packet, problem });
      if (waiting.size === 0) done();
    });
    for (const packet of burst) socket.send(packet);
    if (waiting.size === 0) done();
  });
}

/** Opens connections in turn: a valid one, then one with wrong lengths or an early end. */
export async function fuzzTcp({ to, corpus, random, packets }: SocketFuzz): Promise<Finding | undefined> {
  for (let sent = 0; sent < packets; sent += 2 * FRAMES_A_CONNECTION) {
    const honest = framesOf(random, corpus);
    const finding = checkStream(honest, await exchange(to, Buffer.concat(honest.map(frame)), random));
    if (finding !== undefined) return finding;
    const lying = Buffer.concat(framesOf(random, corpus).map((packet) => lyingFrame(packet, random)));
    const replies = await exchange(to, lying, random);
    if (replies === undefined) return { packet: lying, problem: 'the connection is not closed' };
    if (replies.some((reply) => reply.length < 12 || (reply[2] & 0x80) === 0))
      return { packet: lying, problem: 'no answer, but sent over TCP' };
  }
  return undefined;
}

function framesOf(random: Random, corpus: readonly Uint8Array[]): Uint8Array[] {
  return Array.from({ length: FRAMES_A_CONNECTION }, (_, id) =>
    withId(mutatePacket(random, corpus).slice(0, MOST_TCP_QUERY_BYTES), id),
  );
}

function frame(packet: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(packet.length >>> 8, packet.length & 0xff), packet]);
}

function lyingFrame(packet: Uint8Array, random: Random): Buffer {
  const framed = frame(packet);
  if (random.below(4) === 0) framed.writeUInt16BE(random.below(2 * packet.length + 2));
  return random.below(10) === 0 ? framed.subarray(0, random.below(framed.length)) : framed;
}

/** @param replies undefined if the connection was not ended in time */
function checkStream(
  packets: readonly Uint8Array[],
  replies: readonly Buffer[] | undefined,
): Finding | undefined {
  if (replies === undefined) return { packet: packets[0], problem: 'the connection is not closed' };
  const byId = new Map(replies.map((reply) => [idOf(reply), reply]));
  const due = packets.filter(isAnswerDue);
  if (byId.size !== replies.length || replies.length !== due.length)
    return { packet: packets[0], problem: `${replies.length} answers over TCP for ${due.length}` };
  for (const packet of due) {
    const problem = checkReply(packet, byId.get(idOf(packet)), true);
    if (problem !== undefined) return { packet, problem };
  }
  return undefined;
}

/**
 * Sends octets in pieces of any size, then the end.
 *
 * @returns the octets received until the server closed; undefined if it did not close in time
 */
async function exchange(to: ListenAddress, octets: Buffer, random: Random): Promise<Buffer[] | undefined> {
  const socket = connect({ host: to.host, port: to.port, allowHalfOpen: true, noDelay: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A frame that is too long ends the connection: that is an answer too.
  socket.on('error', () => undefined);
  let wait: NodeJS.Timeout | undefined;
  const closed = new Promise<boolean>((resolve) => {
    socket.on('end', () => resolve(true));
    socket.on('close', () => resolve(true));
    wait = setTimeout(() => resolve(false), TCP_WAIT_MS);
  });
  for (let at = 0; at < octets.length;) {
    const end = at + 1 + random.below(octets.length);
    socket.write(octets.subarray(at, end));
    at = end;
    if (random.below(4) === 0) await new Promise(setImmediate);
  }
  socket.end();
  const isClosed = await closed;
  clearTimeout(wait);
  socket.destroy();
  return isClosed ? splitFrames(Buffer.concat(chunks)) : undefined;
}

function splitFrames(input: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at + 2 <= input.length; at += 2 + input.readUInt16BE(at))
    messages.push(input.subarray(at + 2, at + 2 + input.readUInt16BE(at)));
  return messages;
}

function withId(packet: Uint8Array, id: number): Uint8Array {
  if (packet.length >= 2) packet.set([id >>> 8, id & 0xff]);
  return packet;
}

function idOf(packet: Uint8Array): number {
  return (packet[0] << 8) | packet[1];
}
