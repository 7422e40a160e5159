import { expect, test } from 'vitest';
import { parseBase32Hex } from './base64.ts';
import { rrType } from './codes.ts';
import { formatDomainName, parseDomainName } from './name.ts';
import { nsecRdata } from './nsec-rdata.ts';
import { nsec3Owner, nsec3ParamRdata, nsec3Rdata } from './nsec3-rdata.ts';
import { formatRdata } from './rdata/rdata.ts';
import { encodeTypeBitmap } from './type-bitmap-octets.ts';

const HASH = '2vptu5timamqttgl4luu9kg21e0aor3s';
const bitmap = encodeTypeBitmap([rrType.A, rrType.RRSIG]);

function parsedValue<T>(parsed: { ok: true; value: T } | { ok: false }): T {
  if (!parsed.ok) throw new Error('the text of this test is malformed');
  return parsed.value;
}

test('NSEC and NSEC3 data read as what they were made of', () => {
  const hash = parsedValue(parseBase32Hex(HASH));
  const next = parsedValue(parseDomainName('Host.Example.'));
  expect(formatRdata(rrType.NSEC, nsecRdata(next, bitmap))).toBe('host.example. A RRSIG');
  expect(formatRdata(rrType.NSEC3, nsec3Rdata(hash, bitmap))).toBe(`1 0 0 - ${HASH} A RRSIG`);
  expect(formatRdata(rrType.NSEC3, nsec3Rdata(hash, new Uint8Array()))).toBe(`1 0 0 - ${HASH}`);
  expect(formatRdata(rrType.NSEC3PARAM, nsec3ParamRdata())).toBe('1 0 0 -');
  expect(formatDomainName(nsec3Owner(hash, next))).toBe(`${HASH}.Host.Example.`);
});
