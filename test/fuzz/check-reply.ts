/** Checks that apply to every reply, whatever was sent. */

import { decodeMessage } from '../comparison/message.ts';

const HEADER_BYTES = 12;
const MOST_UDP_BYTES = 1232;
const MOST_PLAIN_UDP_BYTES = 512;

/** An answer is due to every packet that has a header and is not itself an answer. */
export function isAnswerDue(packet: Uint8Array): boolean {
  return packet.length >= HEADER_BYTES && (packet[2] & 0x80) === 0;
}

/** @returns the problem of the reply; undefined if there is none */
export function checkReply(
  packet: Uint8Array,
  reply: Buffer | undefined,
  overTcp: boolean,
): string | undefined {
  if (!isAnswerDue(packet))
    return reply === undefined ? undefined : 'an answer to a packet that deserves none';
  if (reply === undefined) return 'no answer';
  if (reply.length < HEADER_BYTES) return `an answer of ${reply.length} octets`;
  if (reply[0] !== packet[0] || reply[1] !== packet[1]) return 'another id';
  if ((reply[2] & 0xf8) !== (0x80 | (packet[2] & 0x78))) return 'not an answer, or with another opcode';
  try {
    const { problems, hasEdns } = decodeMessage(reply);
    if (problems.length > 0) return problems.join(', ');
    const most = hasEdns ? MOST_UDP_BYTES : MOST_PLAIN_UDP_BYTES;
    return overTcp || reply.length <= most ? undefined : `${reply.length} octets over UDP`;
  } catch (error) {
    return `unreadable: ${String(error)}`;
  }
}
