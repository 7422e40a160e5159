import { expect, test } from 'vitest';
import { formatZoneText } from './zone-text.ts';

function lineOf(type: string, data: string, name = 'www'): string {
  const [first, line = ''] = formatZoneText('example.com', [{ type, name, data, ttl: 300 }]).split('\n');
  expect(first).toBe('$ORIGIN example.com.');
  return line.replaceAll(/ +/g, ' ');
}

test.each([
  ['A', '192.0.2.1', '192.0.2.1'],
  ['CNAME', 'other.example.net', 'other.example.net.'],
  ['MX', '10 mail.example.com', '10 mail.example.com.'],
  ['MX', '0 .', '0 .'],
  ['SRV', '0 5 5060 sip.example.com.', '0 5 5060 sip.example.com.'],
  ['HTTPS', '1 svc.example.net alpn=h2,h3', '1 svc.example.net. alpn=h2,h3'],
  ['CNAME', 'bücher.example', 'xn--bcher-kva.example.'],
  // A backslash of the interface stands for itself; in a zone file it escapes.
  ['TXT', String.raw`"a\b"`, String.raw`"a\\b"`],
  ['TXT', String.raw`"say \"hi\""`, String.raw`"say \"hi\""`],
  ['TXT', '"é"', String.raw`"\195\169"`],
  ['TXT', 'semi;colon', '"semi;colon"'],
  ['TXT', `"${'x'.repeat(300)}"`, `"${'x'.repeat(255)}" "${'x'.repeat(45)}"`],
])('%s %s is written as %s', (type, data, written) => {
  expect(lineOf(type, data)).toBe(`www 300 IN ${type} ${written}`);
});

test.each([
  ['', '@'],
  ['www', 'www'],
  ['www.example.com', 'www'],
  ['www.example.com.example.com', 'www.example.com'],
  ['bücher', 'xn--bcher-kva'],
])('the name %j is written as %s', (name, owner) => {
  expect(lineOf('A', '192.0.2.1', name)).toBe(`${owner} 300 IN A 192.0.2.1`);
});

test('what is not valid is a comment', () => {
  expect(lineOf('A', 'nonsense\n')).toBe('; not valid: www A nonsense?');
});
