import { expect, test } from 'vitest';
import { rrType } from '../dns/codes.ts';
import { contentKey, isSameContent } from './same-content.ts';

const encoder = new TextEncoder();

function txt(length: number, octet = 0x61) {
  return { type: rrType.TXT, rdata: new Uint8Array(length).fill(octet) };
}

/** The name of a host in wire form. */
function cname(host: string) {
  return { type: rrType.CNAME, rdata: Uint8Array.of(host.length, ...encoder.encode(host), 0) };
}

test.each([
  ['equal octets', txt(9000), txt(9000), true],
  ['one octet more', txt(9000), txt(9001), false],
  ['another octet at the end', txt(9000), { ...txt(9000), rdata: txt(9000).rdata.with(-1, 0x62) }, false],
  ['octets beyond ASCII', txt(300, 0xe9), txt(300, 0xe8), false],
  ['a name in another case', cname('WWW'), cname('www'), true],
  ['a text in another case', txt(3, 0x41), txt(3, 0x61), false],
])('%s: the key says the same as the comparison', (_, one, other, isSame) => {
  expect(isSameContent(one, other)).toBe(isSame);
  expect(contentKey(one) === contentKey(other)).toBe(isSame);
});

test('keys take about as much memory as the data', () => {
  const octets = 60_000;
  const before = process.memoryUsage().heapUsed;
  const keys = Array.from({ length: 200 }, (_, index) => contentKey(txt(octets, index)));
  // Garbage counts too, so that the limit is wide: built character by character the keys take 380 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(6 * keys.length * octets);
});
