/**
 * Fuzzes only the query pipeline: answers each packet twice, in the middle of a buffer whose edges must stay unchanged.
 */

import type { Random } from '../harness/random.ts';
import { createAnswerer } from '../../src/nameserver/query/query-pipeline.ts';
import { checkReply } from './check-reply.ts';
import { mutatePacket } from './mutate-packet.ts';

const UDP_ROOM_BYTES = 4_096;
const TCP_ROOM_BYTES = 65_535;
const RIM_BYTES = 16;
const RIM = 0xa5;
/** Code that reads past the packet meets other octets the second time. */
const BEHIND_BYTES = 300;
/** The limit of the nameserver's sockets: longer queries never reach the pipeline. */
const MOST_QUERY_BYTES = UDP_ROOM_BYTES - BEHIND_BYTES;

/** Answers a packet and returns the problem of the answer; undefined if there is none. */
export type CheckedAnswer = (packet: Uint8Array, overTcp: boolean) => string | undefined;

/** @param memory a zone space in which all zones are loaded */
export function createCheckedAnswer(memory: SharedArrayBuffer): CheckedAnswer {
  const settings = { cookieSecret: new Uint8Array(16), identifier: 'fuzz', tcpIdleMs: 10_000 };
  const answerer = createAnswerer({ memory, reader: 0, settings });
  const answerIn = (buffer: Buffer, packet: Uint8Array, behind: number, overTcp: boolean): number => {
    const room = roomBytes(overTcp);
    buffer.fill(RIM, 0, RIM_BYTES).fill(RIM, RIM_BYTES + room, RIM_BYTES + room + RIM_BYTES);
    buffer.set(packet, RIM_BYTES);
    buffer.fill(behind, RIM_BYTES + packet.length, RIM_BYTES + packet.length + BEHIND_BYTES);
    answerer.enter(0);
    const length = answerer.answer(buffer, RIM_BYTES, packet.length, room, overTcp);
    answerer.leave();
    return length;
  };
  const [buffer, other] = [0, 0].map(() => Buffer.alloc(RIM_BYTES + TCP_ROOM_BYTES + RIM_BYTES));
  return (packet, overTcp) => {
    const length = answerIn(buffer, packet, 0, overTcp);
    if (length < 0) return 'a zone that is not in memory';
    if (!isRimIntact(buffer, overTcp)) return 'octets written outside the room for the answer';
    const reply = length === 0 ? undefined : buffer.subarray(RIM_BYTES, RIM_BYTES + length);
    const otherLength = answerIn(other, packet, 0xff, overTcp);
    if (
      otherLength !== length ||
      other.compare(buffer, RIM_BYTES, RIM_BYTES + length, RIM_BYTES, RIM_BYTES + length) !== 0
    )
      return 'octets after the packet change the answer';
    return checkReply(packet, reply, overTcp);
  };
}

function roomBytes(overTcp: boolean): number {
  return overTcp ? TCP_ROOM_BYTES : UDP_ROOM_BYTES;
}

function isRimIntact(buffer: Buffer, overTcp: boolean): boolean {
  const end = RIM_BYTES + roomBytes(overTcp);
  const rims = [buffer.subarray(0, RIM_BYTES), buffer.subarray(end, end + RIM_BYTES)];
  return rims.every((rim) => rim.every((octet) => octet === RIM));
}

/** A problem and the packet that caused it. */
export interface Finding {
  readonly packet: Uint8Array;
  readonly problem: string;
}

/** @returns the first finding; undefined if there is none */
export function fuzzInProcess(
  answer: CheckedAnswer,
  corpus: readonly Uint8Array[],
  random: Random,
  packets: number,
): Finding | undefined {
  for (let i = 0; i < packets; i++) {
    const packet = mutatePacket(random, corpus).subarray(0, MOST_QUERY_BYTES);
    const problem = checkSafely(answer, packet, (i & 1) === 1);
    if (problem !== undefined) return { packet, problem };
  }
  return undefined;
}

function checkSafely(answer: CheckedAnswer, packet: Uint8Array, overTcp: boolean): string | undefined {
  try {
    return answer(packet, overTcp);
  } catch (error) {
    return `an exception: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}
