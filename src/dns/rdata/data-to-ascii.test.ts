import { expect, test } from 'vitest';
import { rrType } from '../codes.ts';
import { dataToAscii } from './data-to-ascii.ts';

const toAscii = (text: string): string | undefined =>
  text.includes('!') ? undefined : text.replaceAll('bücher', 'xn--bcher-kva');

test.each([
  ['CNAME', rrType.CNAME, 'bücher.example.', 'xn--bcher-kva.example.'],
  ['MX', rrType.MX, '10 bücher.example.', '10 xn--bcher-kva.example.'],
  ['RP', rrType.RP, 'a.bücher. bücher.', 'a.xn--bcher-kva. xn--bcher-kva.'],
  ['NAPTR', rrType.NAPTR, '1 2 s ü !^.*$!sip:ü! bücher.', '1 2 s ü !^.*$!sip:ü! xn--bcher-kva.'],
  ['NAPTR', rrType.NAPTR, '1 2 "s ü" ü "" bücher.', '1 2 "s ü" ü "" xn--bcher-kva.'],
  ['SVCB', rrType.SVCB, '1 bücher. key667=bücher', '1 xn--bcher-kva. key667=bücher'],
  ['HIP', rrType.HIP, '2 20 Aw== bücher. b.bücher.', '2 20 Aw== xn--bcher-kva. b.xn--bcher-kva.'],
  ['IPSECKEY', rrType.IPSECKEY, '10 3 2 bücher. AQ==', '10 3 2 xn--bcher-kva. AQ=='],
  ['TXT', rrType.TXT, 'bücher', 'bücher'],
])('of %s data, only the words that are domain names are converted', (_, type, data, ascii) => {
  expect(dataToAscii(type, data, toAscii)).toEqual({ ok: true, value: ascii });
});

test('a name that cannot be converted is a problem', () => {
  expect(dataToAscii(rrType.MX, '10 bü!cher.example.', toAscii)).toMatchObject({
    ok: false,
    problem: 'Host name "bü!cher.example." is not a valid internationalised name',
  });
});
