import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rrType } from '../codes.ts';
import { canonicalRdata } from './rdata.ts';

/** `A.Bc.` and `D.` */
const [FIRST, SECOND] = ['014102426300', '014400'];

test.each([
  ['MB', rrType.MB, FIRST, '016102626300'],
  ['MINFO', rrType.MINFO, FIRST + SECOND, '016102626300016400'],
  ['RT', rrType.RT, `0041${FIRST}`, '0041016102626300'],
  ['PX', rrType.PX, `4142${FIRST}${SECOND}`, '4142016102626300016400'],
  ['SIG', rrType.SIG, `${'41'.repeat(18)}${FIRST}4141`, `${'41'.repeat(18)}0161026263004141`],
  ['NXT', rrType.NXT, `${FIRST}4141`, '0161026263004141'],
  [
    'A6 with a prefix',
    rrType.A6,
    `4041424344454647 48${FIRST}`.replace(' ', ''),
    '404142434445464748016102626300',
  ],
  ['A6 without a prefix', rrType.A6, `00${'41'.repeat(16)}`, `00${'41'.repeat(16)}`],
  ['MINFO with one name', rrType.MINFO, FIRST, '016102626300'],
  ['MB that is cut off', rrType.MB, '014102', '014102'],
  ['a private type', 65280, FIRST, FIRST],
])('the canonical form of %s has its names in lower case', (_, type, hex, canonical) => {
  expect(Buffer.from(canonicalRdata(type, Buffer.from(hex, 'hex'))).toString('hex')).toBe(canonical);
});

test('data of any octets keeps its length', () => {
  const types = [rrType.MD, rrType.MINFO, rrType.RT, rrType.PX, rrType.SIG, rrType.A6, rrType.NXT];
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.uint8Array({ maxLength: 40 }), (type, rdata) => {
      expect(canonicalRdata(type, rdata)).toHaveLength(rdata.length);
    }),
  );
});
