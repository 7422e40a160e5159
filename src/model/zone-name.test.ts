import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseZoneName } from './zone-name.ts';

const strict = { allowPublicSuffixes: false };
const lenient = { allowPublicSuffixes: true };
const label63 = 'a'.repeat(63);
const name253 = `${label63}.${label63}.${label63}.${'a'.repeat(57)}.com`;

test.each([
  ['example.com', 'example.com'],
  ['EXAMPLE.Com.', 'example.com'],
  ['Bücher.Example', 'xn--bcher-kva.example'],
  ['xn--BCHER-KVA.example', 'xn--bcher-kva.example'],
  ['faß.de', 'xn--fa-hia.de'],
  ['例え。テスト。', 'xn--r8jz45g.xn--zckzah'],
  ['ｅｘａｍｐｌｅ.com', 'example.com'],
  ['שלום.example', 'xn--9dbne9b.example'],
  ['_msdcs.corp.example', '_msdcs.corp.example'],
  ['_tcp.bücher.example', '_tcp.xn--bcher-kva.example'],
  ['r3---sn-abc.example', 'r3---sn-abc.example'],
  ['r3---sn.bücher.example', 'r3---sn.xn--bcher-kva.example'],
  ['2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa'],
  ['8.b.d.0.1.0.0.2.ip6.arpa', '8.b.d.0.1.0.0.2.ip6.arpa'],
  ['1.2.3.4.example', '1.2.3.4.example'],
  ['0x7f.example', '0x7f.example'],
  ['github.io', 'github.io'],
  ['www.ck', 'www.ck'],
  ['example.co.uk', 'example.co.uk'],
  [name253, name253],
])('rule 15: parseZoneName(%j) is %s', (text, name) => {
  expect(parseZoneName(text, strict)).toEqual({ ok: true, value: name });
});

test.each([
  ['', 'Domain name is empty'],
  ['.', 'Domain name is empty'],
  ['\u00ad', 'Domain name is empty'],
  ['example..com', 'Domain name "example..com" has an empty label'],
  ['.example.com', 'Domain name ".example.com" has an empty label'],
  ['example.com..', 'Domain name "example.com." has an empty label'],
  [`a${label63}.com`, `Label "${'a'.repeat(60)}…" has 64 characters, more than 63`],
  [`a${name253}`, 'more than 63'],
  [`a.${name253}`, 'Domain name has 255 characters, more than 253'],
  ['ü'.repeat(2000), 'Domain name has 2000 characters, more than 253'],
  ['192.0.2.1', '"192.0.2.1" is an IP address, not a domain name'],
  ['192.0.2.1.', '"192.0.2.1" is an IP address, not a domain name'],
  ['１９２.0.2.1', '"192.0.2.1" is an IP address, not a domain name'],
  ['2001:db8::1', '"2001:db8::1" is an IP address, not a domain name'],
  ['::', '"::" is an IP address, not a domain name'],
  ['[2001:db8::1]', '"[2001:db8::1]" is an IP address, not a domain name'],
  ['::ffff:192.0.2.1', '"::ffff:192.0.2.1" is an IP address, not a domain name'],
  ['127.1', 'Domain name "127.1" ends in the number "1", as only IP addresses do'],
  ['example.0x7f', 'Domain name "example.0x7f" ends in the number "0x7f", as only IP addresses do'],
  ['exa mple.com', 'Domain name "exa mple.com" holds " ": letters, digits, hyphens and dots are allowed'],
  [' example.com', 'holds " "'],
  ['example.com\n', 'holds "\\n"'],
  ['example.com:80', 'holds ":"'],
  ['https://example.com', 'holds ":"'],
  ['a\\.b.example.com', 'holds "\\\\"'],
  ['0/25.2.0.192.in-addr.arpa', 'holds "/"'],
  ['*.example.com', 'holds "*"'],
  ['exam\u0000ple.com', 'holds "\\u0000"'],
  ['my_domain.com', 'Domain name "my_domain.com" holds an underscore in one of its last two labels'],
  ['example.my_tld', 'holds an underscore in one of its last two labels'],
  ['-example.com', 'Label "-example" of domain name "-example.com" begins or ends with a hyphen'],
  ['example-.com', 'Label "example-" of domain name "example-.com" begins or ends with a hyphen'],
  ['xn--abc.example', 'Domain name "xn--abc.example" is not a valid internationalised name'],
  ['xn--a.example', 'is not a valid internationalised name'],
  ['-ü.example', 'is not a valid internationalised name'],
  ['a\u200db.example', 'is not a valid internationalised name'],
  ['אa1.example', 'is not a valid internationalised name'],
  ['\ud800.example', 'is not a valid internationalised name'],
  ['com', 'Domain name "com" is a single label'],
  ['localhost', 'Domain name "localhost" is a single label'],
  ['co.uk', 'Domain name "co.uk" is a public suffix, under which others register their domains'],
  ['anything.ck', 'is a public suffix'],
  ['公司.cn', 'Domain name "xn--55qx5d.cn" is a public suffix, under which others register their domains'],
])('rule 15: parseZoneName(%j) is refused: %s', (text, sentence) => {
  const result = parseZoneName(text, strict);
  expect(result.ok ? result.value : result.problem).toContain(sentence);
  expect(result.ok).toBe(false);
});

test.each(['com', 'co.uk', 'anything.ck', 'localhost'])('rule 15: the operator may allow %s', (text) => {
  expect(parseZoneName(text, lenient)).toEqual({ ok: true, value: text });
});

const pieces = fc.constantFrom(
  'a',
  'B',
  '7',
  '-',
  '_',
  '.',
  'ü',
  'ß',
  'xn--',
  'بة',
  '。',
  '\u200d',
  ' ',
  '😀',
  'com',
  'bcher-kva',
);

test('rule 15: what parseZoneName() returns is returned unchanged when parsed again', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const first = parseZoneName(parts.join(''), lenient);
      if (!first.ok) return;
      expect(first.value).toMatch(/^[a-z0-9._-]+$/);
      expect(parseZoneName(first.value, lenient)).toEqual(first);
      expect(parseZoneName(`${first.value.toUpperCase()}.`, lenient)).toEqual(first);
    }),
    { numRuns: 2000 },
  );
});

test('a refused name is one short sentence without a full stop, whatever was sent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const result = parseZoneName(text, strict);
      if (result.ok) return;
      expect(result.problem.length).toBeLessThan(300);
      expect(result.problem).not.toMatch(/\.$|\n/);
    }),
  );
});
