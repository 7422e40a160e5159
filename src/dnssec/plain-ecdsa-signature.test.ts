import { expect, test } from 'vitest';
import { plainEcdsaSignature } from './plain-ecdsa-signature.ts';

/** The DER of an INTEGER: as few octets as possible, and a zero before a set first bit. */
function derInteger(octets: readonly number[]): readonly number[] {
  const first = octets.findIndex((octet) => octet !== 0);
  const digits = first === -1 ? [0] : octets.slice(first);
  const content = digits[0] > 0x7f ? [0, ...digits] : digits;
  return [0x02, content.length, ...content];
}

function derSignature(r: readonly number[], s: readonly number[]): Uint8Array {
  const content = [...derInteger(r), ...derInteger(s)];
  return Uint8Array.from([0x30, content.length, ...content]);
}

/** 32 octets that end with `tail`. */
function number(...tail: readonly number[]): readonly number[] {
  return [...Array.from({ length: 32 - tail.length }, () => 0), ...tail];
}

const largest = Array.from({ length: 32 }, () => 0xff);
const positive = [0x7f, ...Array.from({ length: 31 }, (_, at) => at)];
const numbers = [
  largest,
  positive,
  number(0x80, 0),
  number(1),
  number(0x7f, 0, 0xff),
  number(...positive.slice(0, 31)),
];

test('both numbers get 32 octets, however many their DER has', () => {
  for (const r of numbers) {
    for (const s of numbers) expect([...plainEcdsaSignature(derSignature(r, s))]).toEqual([...r, ...s]);
  }
});
