import { expect, test } from 'vitest';
import { ClientAddress } from './client-address.ts';
import { ServerCookies } from './server-cookies.ts';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const secret = hex('e5e973e5a6b2a43f48e7dc849e37bfcf');

function check(options: { secret?: Uint8Array; address: string; cookie: string; nowSeconds: number }) {
  const cookies = new ServerCookies(options.secret ?? secret);
  const client = new ClientAddress();
  client.setText(options.address);
  const buffer = Uint8Array.of(9, 9, ...hex(options.cookie));
  const isGood = cookies.check(buffer, 2, buffer.length - 2, client, options.nowSeconds | 0);
  return { isGood, reply: Buffer.from(cookies.reply).toString('hex') };
}

test.each([
  [
    'A.1: learning a new server cookie',
    { address: '198.51.100.100', cookie: '2464c4abcf10c957', nowSeconds: 1559731985 },
    { isGood: false, reply: '2464c4abcf10c957010000005cf79f111f8130c3eee29480' },
  ],
  [
    'A.2: the same client renews it',
    {
      address: '198.51.100.100',
      cookie: '2464c4abcf10c957 010000005cf79f111f8130c3eee29480',
      nowSeconds: 1559734385,
    },
    { isGood: true, reply: '2464c4abcf10c957010000005cf7a871d4a564a1442aca77' },
  ],
  [
    'A.3: reserved octets are hashed as received',
    {
      address: '203.0.113.203',
      cookie: 'fc93fc62807ddb86 01abcdef5cf78f71a314227b6679ebf5',
      nowSeconds: 1559727985,
    },
    { isGood: true, reply: 'fc93fc62807ddb8601abcdef5cf78f71a314227b6679ebf5' },
  ],
  [
    'A.3: the renewed cookie, an hour and more after the first',
    {
      address: '203.0.113.203',
      cookie: 'fc93fc62807ddb86 01abcdef5cf78f71a314227b6679ebf5',
      nowSeconds: 1559734700,
    },
    { isGood: false, reply: 'fc93fc62807ddb86010000005cf7a9acf73a7810aca2381e' },
  ],
  [
    'A.4: IPv6, the old secret',
    {
      secret: hex('dd3bdf9344b678b185a6f5cb60fca715'),
      address: '2001:db8:220:1:59de:d0f4:8769:82b8',
      cookie: '22681ab97d52c298 010000005cf7c57926556bd0934c72f8',
      nowSeconds: 1559741961,
    },
    { isGood: true, reply: '22681ab97d52c298010000005cf7c57926556bd0934c72f8' },
  ],
  [
    'A.4: IPv6, the new secret',
    {
      secret: hex('445536bcd2513298075a5d379663c962'),
      address: '2001:db8:220:1:59de:d0f4:8769:82b8',
      cookie: '22681ab97d52c298 010000005cf7c57926556bd0934c72f8',
      nowSeconds: 1559741961,
    },
    { isGood: false, reply: '22681ab97d52c298010000005cf7c609a6bb79d16625507a' },
  ],
])('RFC 9018 appendix %s', (_, asked, expected) => {
  expect(check(asked)).toEqual(expected);
});

const made = { address: '198.51.100.100', cookie: '2464c4abcf10c957 010000005cf79f111f8130c3eee29480' };
const MADE_AT = 1559731985;

test.each([
  ['when it is new', {}, 0, true],
  ['after an hour', {}, 3600, true],
  ['after an hour and a second', {}, 3601, false],
  ['from a clock five minutes ahead', {}, -300, true],
  ['from a clock further ahead', {}, -301, false],
  ['at another address', { address: '198.51.100.101' }, 0, false],
  ['with another secret', { secret: hex('e5e973e5a6b2a43f48e7dc849e37bfce') }, 0, false],
  ['with another client cookie', { cookie: made.cookie.replace('2464', '2465') }, 0, false],
  ['with another version', { cookie: made.cookie.replace(' 01', ' 02') }, 0, false],
  ['with one bit of its hash changed', { cookie: made.cookie.replace(/0$/, '1') }, 0, false],
  ['one octet longer', { cookie: `${made.cookie}00` }, 0, false],
])('a server cookie %s', (_, changed, laterSeconds, isGood) => {
  expect(check({ ...made, ...changed, nowSeconds: MADE_AT + laterSeconds }).isGood).toBe(isGood);
});

test('a valid cookie is returned unchanged for half an hour, then with a new timestamp', () => {
  const timeIn = (laterSeconds: number): string =>
    check({ ...made, nowSeconds: MADE_AT + laterSeconds }).reply.slice(24, 32);
  expect([-300, 0, 1800, 1801].map(timeIn)).toEqual(['5cf79f11', '5cf79f11', '5cf79f11', '5cf7a61a']);
});

test('cookies stay valid when 32-bit seconds wrap around', () => {
  const before = check({ ...made, cookie: made.cookie.slice(0, 16), nowSeconds: 2 ** 32 - 10 });
  expect(check({ ...made, cookie: before.reply, nowSeconds: 5 })).toEqual({ ...before, isGood: true });
});
