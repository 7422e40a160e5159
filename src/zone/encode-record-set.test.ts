import { expect, test } from 'vitest';
import { rrType } from '../dns/codes.ts';
import { lowerDomainName, parseDomainName, type DomainName } from '../dns/name.ts';
import { encodeRecordSet, recordSetSizeLimit, type RecordSet } from './encode-record-set.ts';
import type { SetOffset } from './image-offsets.ts';
import {
  rrsetFirstTarget,
  rrsetRecordCount,
  rrsetSizeBytes,
  rrsetTargetCount,
  rrsetTtl,
  rrsetType,
  targetNameLength,
  targetNameStart,
} from './record-set-block.ts';

const AT = 64 as SetOffset;
const apex = nameOf('example.com.');
const MAX_TTL = 0x7fffffff;

function nameOf(text: string): DomainName {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return lowerDomainName(parsed.value);
}

function encode(set: RecordSet) {
  const words = new Int32Array(256);
  const bytes = new Uint8Array(words.buffer);
  return { words, bytes, size: encodeRecordSet({ words, bytes }, AT, set, apex) };
}

const mx = (host: string): Uint8Array => Uint8Array.of(0, 10, ...nameOf(host));
const a = (last: number): Uint8Array => Uint8Array.of(192, 0, 2, last);

test.each([
  ['an address', { type: rrType.A, ttl: 300, rdatas: [a(1)] }, 0, 8 + 16],
  ['two addresses', { type: rrType.A, ttl: 0, rdatas: [a(1), a(2)] }, 0, 8 + 32],
  ['a host elsewhere', { type: rrType.MX, ttl: MAX_TTL, rdatas: [mx('mx.example.net.')] }, 0, 8 + 32],
  // The apex of the host is a pointer with a fixup; the target is kept with two words before it and one of its own.
  [
    'a host in the zone',
    { type: rrType.MX, ttl: MAX_TTL, rdatas: [mx('mx.example.com.')] },
    1,
    8 + 20 + 4 + 28,
  ],
  [
    'two hosts in the zone',
    { type: rrType.MX, ttl: 1, rdatas: [mx('mx.example.com.'), mx('my.example.com.')] },
    2,
    8 + 40 + 4 + 48,
  ],
])('the set with %s takes what its records and targets need', (_, set, targets, sizeBytes) => {
  const { words, bytes, size } = encode(set);
  expect(size).toBe(sizeBytes);
  expect(rrsetSizeBytes(words, AT)).toBe(size);
  expect(size).toBeLessThanOrEqual(recordSetSizeLimit(set));
  expect(rrsetTargetCount(words, AT)).toBe(targets);
  expect(rrsetTtl(bytes, AT)).toBe(set.ttl);
  expect(rrsetType(words, AT)).toBe(set.type);
  expect(rrsetRecordCount(words, AT)).toBe(set.rdatas.length);
});

test('the first target is the whole name of the host', () => {
  const { words, bytes } = encode({ type: rrType.MX, ttl: MAX_TTL, rdatas: [mx('mx.example.com.')] });
  const target = rrsetFirstTarget(words, AT);
  const start = targetNameStart(target);
  expect(bytes.slice(start, start + targetNameLength(words, target))).toEqual(nameOf('mx.example.com.'));
});
