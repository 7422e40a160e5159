import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { NameScan } from '../../zone/name-scan.ts';
import { NameHash } from './name-hash.ts';

/** A name of so many octets, with labels as long as they can be. */
function nameOf(length: number): Uint8Array {
  const name = new Uint8Array(length).fill(0x61);
  for (let at = 0; at < length - 1;) {
    const rest = length - 1 - at;
    const size = rest === 65 ? 62 : Math.min(63, rest - 1);
    name[at] = size;
    at += size + 1;
  }
  name[length - 1] = 0;
  return name;
}

test('NameHash is SHA-1 for names of every length', () => {
  const hash = new NameHash();
  const scan = new NameScan(1);
  for (let length = 3; length <= 255; length++) {
    const name = nameOf(length);
    expect(scan.scan(name, 0, length)).toBe(length);
    hash.update(scan, 0);
    expect(Buffer.from(hash.octets).toString('hex')).toBe(createHash('sha1').update(name).digest('hex'));
  }
});

test('NameHash reads the suffix that begins with a label, in lower case', () => {
  const hash = new NameHash();
  const scan = new NameScan(1);
  const wire = Buffer.from('\x01A\x07Example\x00', 'latin1');
  scan.scan(wire, 0, wire.length);
  hash.update(scan, 1);
  const suffix = createHash('sha1').update('\x07example\x00', 'latin1').digest();
  expect(Buffer.from(hash.octets).equals(suffix)).toBe(true);
});
