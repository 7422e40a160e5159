import { expect, test } from 'vitest';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import { formatWantedDs, namesKey } from './match-ds.ts';

/** The key of the examples of RFC 4034 section 5.4 and RFC 4509 section 2.3. */
const dnskey = new Uint8Array(
  Buffer.concat([
    Buffer.from([1, 0, 3, 5]),
    Buffer.from(
      'AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==',
      'base64',
    ),
  ]),
);
const key = { tag: 60485, algorithm: 5, dnskey };
const name = nameOf('dskey.example.com');

function nameOf(text: string): DomainName {
  const parsed = parseDomainName(`${text}.`);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

const sha256 = 'D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A';

test('the wanted DS record has the SHA-256 digest of RFC 4509 section 2.3', () => {
  expect(formatWantedDs(name, key)).toBe(`60485 5 2 ${sha256}`);
});

test.each([
  ['SHA-256', `60485 5 2 ${sha256}`, true],
  ['SHA-256 in pieces', `60485 5 2 ${sha256.slice(0, 20)} ${sha256.slice(20).toLowerCase()}`, true],
  ['SHA-1 of RFC 4034 section 5.4', '60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118', true],
  ['another key tag', `60486 5 2 ${sha256}`, false],
  ['another algorithm', `60485 8 2 ${sha256}`, false],
  ['another digest', `60485 5 2 ${sha256.replace('D4', 'D5')}`, false],
  ['an unknown digest type', `60485 5 200 ${sha256}`, false],
])('a DS record names a key by tag, algorithm and digest: %s', (_, ds, expected) => {
  expect(namesKey(ds, name, [key])).toBe(expected);
});

test('the digest covers the name of the domain', () => {
  expect(namesKey(`60485 5 2 ${sha256}`, nameOf('example.com'), [key])).toBe(false);
});
