import { expect, test } from 'vitest';
import { NameScan, secondHash, suffixEquals } from './name-scan.ts';

const encoder = new TextEncoder();

function wire(...labels: string[]): Uint8Array {
  return Uint8Array.from([...labels.flatMap((label) => [label.length, ...encoder.encode(label)]), 0]);
}

function scan(name: Uint8Array, seed = 7): NameScan {
  const result = new NameScan(seed);
  expect(result.scan(name, 0, name.length)).toBe(name.length);
  return result;
}

test('scanText() gives the same result as scan() of the wire form', () => {
  for (const labels of [['com'], ['example', 'com'], ['a', 'xn--bcher-kva', '_x', 'example']]) {
    const fromText = new NameScan(7);
    fromText.scanText(labels.join('.'));
    const fromWire = scan(wire(...labels));
    const seen = ({ bytes, length, labels: count, starts, hashes }: NameScan): unknown => [
      [...bytes.subarray(0, length)],
      [...starts.subarray(0, count + 1)],
      [...hashes.subarray(0, count + 1)],
    ];
    expect(seen(fromText)).toEqual(seen(fromWire));
  }
});

test('names that differ only in case are equal', () => {
  const lower = scan(wire('www', 'example', 'com'));
  const mixed = scan(wire('wWw', 'EXAMPLE', 'Com'));
  expect([...mixed.hashes.subarray(0, 4)]).toEqual([...lower.hashes.subarray(0, 4)]);
  expect(suffixEquals(mixed, 0, lower.bytes, 0, lower.length)).toBe(true);
});

test('a suffix has the hash of the name that it is', () => {
  const long = scan(wire('a', 'b', 'example', 'com'));
  const short = scan(wire('example', 'com'));
  expect(long.hashes[2]).toBe(short.hashes[0]);
  expect(secondHash(long, 2)).toBe(secondHash(short, 0));
  expect(long.hashes[1]).not.toBe(short.hashes[0]);
});

test('another seed gives other hashes', () => {
  expect(scan(wire('example'), 1).hashes[0]).not.toBe(scan(wire('example'), 2).hashes[0]);
});

test('setWildcardBelow() gives the same result as scan() of the wildcard name', () => {
  const source = scan(wire('x', 'y', 'example', 'com'));
  const wildcard = new NameScan(7);
  expect(wildcard.setWildcardBelow(source, 1)).toBe(true);
  const written = scan(wire('*', 'y', 'example', 'com'));
  expect(wildcard.length).toBe(written.length);
  expect(wildcard.labels).toBe(written.labels);
  expect([...wildcard.hashes.subarray(0, 5)]).toEqual([...written.hashes.subarray(0, 5)]);
  expect([...wildcard.starts.subarray(0, 5)]).toEqual([...written.starts.subarray(0, 5)]);
});

const longest = wire('a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), 'd'.repeat(61));
const malformed: [string, Uint8Array][] = [
  ['nothing', new Uint8Array(0)],
  ['no root', wire('abc').subarray(0, 4)],
  ['a label that ends after the packet', Uint8Array.of(5, 97, 98, 0)],
  ['a compression pointer', Uint8Array.of(1, 97, 0xc0, 0)],
  ['a reserved label type', Uint8Array.of(0x41, 1, 0)],
  ['256 octets', wire('a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), 'd'.repeat(62))],
];

test.each(malformed)('scan() rejects %s', (_, bytes) => {
  expect(new NameScan(1).scan(bytes, 0, bytes.length)).toBe(-1);
});

test('scan() accepts the longest name and the name with the most labels', () => {
  expect(scan(longest).length).toBe(255);
  const most = wire(...Array<string>(127).fill('a'));
  expect(scan(most).labels).toBe(127);
  expect(scan(Uint8Array.of(0)).labels).toBe(0);
});
