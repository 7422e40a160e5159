import { expect, test } from 'vitest';
import { EMPTY_SUM, HashSum } from './hash-sum.ts';

const encoder = new TextEncoder();

// Reference values of MurmurHash3_x86_128 with seed 0.
test.each([
  ['The quick brown fox jumps over the lazy dog', '2f1583c3ecee2c675d7bf66ce5e91d2c'],
  ["I will not buy this tobacconist's, it is scratched.", '9b5b7ba2ef3f7866889adeaf00f3f98e'],
  ['', EMPTY_SUM],
])('HashSum adds MurmurHash3 of %j', (text, hash) => {
  expect(new HashSum().add(encoder.encode(text)).toString()).toBe(hash);
});

test('HashSum does not depend on the order, and forgets what is taken away', () => {
  const [a, b, c] = ['a', 'b', 'c'.repeat(100)].map((text) => encoder.encode(text));
  const sum = new HashSum().add(a).add(b).add(c);
  expect(new HashSum().add(c).add(a).add(b).toString()).toBe(sum.toString());
  expect(new HashSum().add(a).add(a).toString()).not.toBe(new HashSum().add(a).toString());
  expect(sum.copy().subtract(b).subtract(a).subtract(c).toString()).toBe(EMPTY_SUM);
  expect(sum.copy().subtractSum(new HashSum().add(a)).toString()).toBe(
    new HashSum().add(b).add(c).toString(),
  );
});

test('HashSum.parse() reads what toString() returns', () => {
  const text = new HashSum().add(encoder.encode('zone')).toString();
  expect(HashSum.parse(text).toString()).toBe(text);
  expect(HashSum.parse(text).addSum(HashSum.parse(text)).toString()).not.toBe(text);
});

test('HashSum hashes only as many octets as it is told', () => {
  const octets = encoder.encode('twenty octets or more');
  for (let length = 0; length < octets.length; length++) {
    const part = new HashSum().add(octets.slice(0, length)).toString();
    expect(new HashSum().add(octets, length).toString()).toBe(part);
  }
});
