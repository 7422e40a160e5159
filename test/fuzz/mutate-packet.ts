/** Turns valid packets into invalid ones, like an attacker, a broken client or a bad cable. */

import type { Random } from '../harness/random.ts';

const MOST_MUTATIONS = 5;
/** One in this many packets exceeds the 4096 octets that are read of a query. */
const LARGE_ONE_IN = 500;
const USUAL_BYTES = 1_500;
const LARGE_BYTES = 5_000;
/** Octets with a meaning: label lengths and their limits, pointers, sign bits. */
const tellingOctets = [0, 1, 0x0c, 0x29, 0x3f, 0x40, 0x7f, 0x80, 0xc0, 0xff];
const tellingNumbers = [0, 1, 4, 8, 12, 41, 250, 252, 255, 256, 512, 4096, 0x7fff, 0xc00c, 0xffff];
const HEADER_BYTES = 12;
const optionCodes = [3, 8, 10, 11, 12, 15, 65_001];

type Mutation = (packet: Uint8Array, random: Random, corpus: readonly Uint8Array[]) => Uint8Array;

/** A packet of the corpus, changed in a few places or occasionally in none. */
export function mutatePacket(random: Random, corpus: readonly Uint8Array[]): Uint8Array {
  let packet: Uint8Array = Uint8Array.from(random.pick(corpus));
  for (let i = random.below(MOST_MUTATIONS + 1); i > 0; i--)
    packet = random.pick(mutations)(packet, random, corpus);
  if (random.below(LARGE_ONE_IN) === 0)
    return concat(packet, noise(random, LARGE_BYTES)).subarray(0, LARGE_BYTES);
  return packet.subarray(0, USUAL_BYTES);
}

const mutations: readonly Mutation[] = [
  flipBit,
  setOctet,
  setNumber,
  setCount,
  lieAboutLength,
  pointBack,
  cutOff,
  append,
  repeatPart,
  splice,
  addOptions,
  lengthenName,
  changeType,
];

function flipBit(packet: Uint8Array, random: Random): Uint8Array {
  if (packet.length > 0) packet[random.below(packet.length)] ^= 1 << random.below(8);
  return packet;
}

function setOctet(packet: Uint8Array, random: Random): Uint8Array {
  if (packet.length > 0) packet[random.below(packet.length)] = random.pick(tellingOctets);
  return packet;
}

function setNumber(packet: Uint8Array, random: Random): Uint8Array {
  return writeNumber(packet, random.below(packet.length), random.pick(tellingNumbers));
}

function setCount(packet: Uint8Array, random: Random): Uint8Array {
  return writeNumber(packet, 4 + 2 * random.below(4), random.below(4) === 0 ? 0xffff : random.below(3));
}

/** Changes the length field at the end of a record's or option's header to a nearby wrong value. */
function lieAboutLength(packet: Uint8Array, random: Random): Uint8Array {
  const at = random.below(packet.length);
  return writeNumber(packet, at, packet.length - at + random.below(7) - 4);
}

/** Writes a compression pointer to itself, before itself or after itself. */
function pointBack(packet: Uint8Array, random: Random): Uint8Array {
  const at = HEADER_BYTES + random.below(Math.max(1, packet.length - HEADER_BYTES));
  return writeNumber(packet, at, 0xc000 | Math.max(0, at - random.below(14) + random.below(4)));
}

function cutOff(packet: Uint8Array, random: Random): Uint8Array {
  return packet.slice(0, random.below(packet.length + 1));
}

function append(packet: Uint8Array, random: Random): Uint8Array {
  return concat(packet, noise(random, random.below(40)));
}

function repeatPart(packet: Uint8Array, random: Random): Uint8Array {
  const start = random.below(packet.length);
  const part = packet.subarray(start, start + random.below(60));
  return concat(packet.subarray(0, start), part, packet.subarray(start));
}

function splice(packet: Uint8Array, random: Random, corpus: readonly Uint8Array[]): Uint8Array {
  const other = random.pick(corpus);
  return concat(packet.subarray(0, random.below(packet.length)), other.subarray(random.below(other.length)));
}

/** Appends an OPT record, sometimes with options longer or shorter than declared. */
function addOptions(packet: Uint8Array, random: Random): Uint8Array {
  const options = concat(
    ...Array.from({ length: random.below(4) }, () => {
      const data = noise(random, random.pick([0, 1, 6, 8, 15, 16, 24, 40, 41]));
      const length = random.below(4) === 0 ? wrongLength(data.length, random) : data.length;
      return concat(number(random.pick(optionCodes)), number(length), data);
    }),
  );
  const size = random.pick(tellingNumbers);
  const length = random.below(5) === 0 ? wrongLength(options.length, random) : options.length;
  const head = concat(Uint8Array.of(0, 0, 41), number(size), new Uint8Array(4), number(length));
  return concat(writeNumber(packet, 10, 1 + random.below(2)), head, options);
}

/** A length that is slightly or completely wrong. */
function wrongLength(length: number, random: Random): number {
  return random.below(2) === 0 ? Math.max(0, length - 8 + random.below(17)) : random.pick(tellingNumbers);
}

/** Adds labels before the question's name. */
function lengthenName(packet: Uint8Array, random: Random): Uint8Array {
  const labels = Array.from({ length: random.below(130) }, () => {
    const label = noise(random, random.pick([1, 1, 1, 3, 63]));
    return concat(Uint8Array.of(label.length), label);
  });
  return concat(packet.subarray(0, HEADER_BYTES), ...labels, packet.subarray(HEADER_BYTES));
}

/** Changes the type of a plain query, which follows the first zero octet of the name. */
function changeType(packet: Uint8Array, random: Random): Uint8Array {
  const root = packet.indexOf(0, HEADER_BYTES);
  if (root === -1) return packet;
  return writeNumber(packet, root + 1, random.below(4) === 0 ? random.below(65_536) : random.below(258));
}

/** Writes nothing past the packet's end. */
function writeNumber(packet: Uint8Array, at: number, value: number): Uint8Array {
  if (at + 1 < packet.length) packet.set(number(value), at);
  return packet;
}

function number(value: number): Uint8Array {
  return Uint8Array.of((value >>> 8) & 0xff, value & 0xff);
}

function noise(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
