import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDomainName, parseDomainName, type DomainName } from '../name.ts';
import { checkRdata, formatRdata } from '../rdata/rdata.ts';
import { formatRecordType } from '../rdata/record-type-registry.ts';
import { isProblem, linesOf, readZoneFile } from './read-zone-file.ts';

/** Records as `owner ttl type data`, problems as `line:column message`. */
function read(text: string, origin = 'example.com'): string[] {
  return Array.from(readZoneFile(linesOf(text), name(origin)), (item) =>
    isProblem(item)
      ? `${item.line}:${item.column} ${item.message}`
      : `${formatDomainName(item.owner)} ${item.ttl} ${formatRecordType(item.type)} ${formatRdata(item.type, item.rdata)}`,
  );
}

function name(text: string): DomainName {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

test.each<[what: string, text: string, records: string[]]>([
  ['an empty file', '', []],
  ['comments and empty lines', '; nothing\n\n   \n\t; here\n', []],
  [
    'owners relative, absolute and @',
    'a 5 A 192.0.2.1\nb.example.com. 5 A 192.0.2.2\n@ 5 A 192.0.2.3\n',
    ['a.example.com. 5 A 192.0.2.1', 'b.example.com. 5 A 192.0.2.2', 'example.com. 5 A 192.0.2.3'],
  ],
  [
    'a blank owner repeats the previous one',
    'a 5 A 192.0.2.1\n  6 A 192.0.2.2\n\tTXT x\n',
    ['a.example.com. 5 A 192.0.2.1', 'a.example.com. 6 A 192.0.2.2', 'a.example.com. 6 TXT "x"'],
  ],
  [
    'TTL and class in any order',
    'a 5 IN A 192.0.2.1\na IN 6 A 192.0.2.1\na CLASS1 A 192.0.2.1\n',
    ['a.example.com. 5 A 192.0.2.1', 'a.example.com. 6 A 192.0.2.1', 'a.example.com. 6 A 192.0.2.1'],
  ],
  [
    'an owner that looks like a TTL, and one that looks like a class',
    '3600 5 A 192.0.2.1\nIN A 192.0.2.2\n',
    ['3600.example.com. 5 A 192.0.2.1', 'IN.example.com. 5 A 192.0.2.2'],
  ],
  [
    '$TTL goes before a TTL stated earlier (RFC 2308 section 4)',
    '$TTL 1h\na 5 A 192.0.2.1\na A 192.0.2.2\n',
    ['a.example.com. 5 A 192.0.2.1', 'a.example.com. 3600 A 192.0.2.2'],
  ],
  ['no TTL is stated', 'a A 192.0.2.1\n', ['a.example.com. null A 192.0.2.1']],
  [
    'without any TTL the SOA minimum applies',
    '@ SOA a b 1 2 3 4 77\n NS a\n',
    ['example.com. 77 SOA a.example.com. b.example.com. 1 2 3 4 77', 'example.com. 77 NS a.example.com.'],
  ],
  [
    "the minimum of a SOA without TTL is the file's default, also after a TTL is stated",
    '@ SOA a b 1 2 3 4 77\na 5 A 192.0.2.1\nb A 192.0.2.1\n',
    [
      'example.com. 77 SOA a.example.com. b.example.com. 1 2 3 4 77',
      'a.example.com. 5 A 192.0.2.1',
      'b.example.com. 77 A 192.0.2.1',
    ],
  ],
  [
    'with a SOA that has a TTL, the TTL stated last applies',
    '@ 9 SOA a b 1 2 3 4 77\na 5 A 192.0.2.1\nb A 192.0.2.1\n',
    [
      'example.com. 9 SOA a.example.com. b.example.com. 1 2 3 4 77',
      'a.example.com. 5 A 192.0.2.1',
      'b.example.com. 5 A 192.0.2.1',
    ],
  ],
  [
    'times with units',
    '$TTL 1h30m\n@ SOA a b 7 2H 15m 1w2d 5S\n',
    ['example.com. 5400 SOA a.example.com. b.example.com. 7 7200 900 777600 5'],
  ],
  [
    'parentheses anywhere, comments inside',
    'a ( ; here\n 5 IN\n A 192.0.2.1 ; there\n )\nb 5 TXT ("x"\n"y")\n',
    ['a.example.com. 5 A 192.0.2.1', 'b.example.com. 5 TXT "x" "y"'],
  ],
  [
    '$ORIGIN, relative too',
    '$ORIGIN sub\na 5 CNAME b\n$ORIGIN example.net.\na 5 CNAME @\n',
    ['a.sub.example.com. 5 CNAME b.sub.example.com.', 'a.example.net. 5 CNAME example.net.'],
  ],
  [
    'escapes in names and text',
    'a\\.b 5 TXT "q\\"; \\255" c\\;d\n\\097 5 A 192.0.2.1\n',
    ['a\\.b.example.com. 5 TXT "q\\"; \\255" "c;d"', 'a.example.com. 5 A 192.0.2.1'],
  ],
  [
    'unknown types and generic data (RFC 3597)',
    'a 5 TYPE65280 \\# 2 C0DE\nb 5 A \\# 4 C0000201\n',
    ['a.example.com. 5 TYPE65280 \\# 2 C0DE', 'b.example.com. 5 A 192.0.2.1'],
  ],
  [
    'CRLF line ends, and no final line end',
    'a 5 A 192.0.2.1\r\nb 5 A 192.0.2.2',
    ['a.example.com. 5 A 192.0.2.1', 'b.example.com. 5 A 192.0.2.2'],
  ],
  [
    '$GENERATE',
    '$GENERATE 8-12/2 h$ 5 A 192.0.2.$\n$GENERATE 1-1 ${0,3} CNAME x\\$${15,4,X}.$\n',
    [
      'h8.example.com. 5 A 192.0.2.8',
      'h10.example.com. 5 A 192.0.2.10',
      'h12.example.com. 5 A 192.0.2.12',
      '001.example.com. 5 CNAME x\\$0010.1.example.com.',
    ],
  ],
  [
    '$GENERATE with data in quotes, which may be of several words',
    '$GENERATE 1-1 a 5 MX "10 m$"\n$GENERATE 2-2 a 5 TXT "\\"b $\\" $$"\n$GENERATE 3-3 a 5 TXT "b $" c\n',
    [
      'a.example.com. 5 MX 10 m1.example.com.',
      'a.example.com. 5 TXT "b 2" "$"',
      'a.example.com. 5 TXT "b 3" "c"',
    ],
  ],
  [
    '$GENERATE of numbers below zero, as C prints them',
    '$GENERATE 1-1 ${-5,3} 5 CNAME ${-5,0,x}.${-5,3,d}.${-2}\n',
    ['-04.example.com. 5 CNAME fffffffc.-04.-1.example.com.'],
  ],
  [
    '$GENERATE in nibbles',
    '$GENERATE 26-26 ${0,7,n} 5 PTR h$\n',
    ['a.1.0.0.example.com. 5 PTR h26.example.com.'],
  ],
])('%s', (_, text, records) => {
  expect(read(text)).toEqual(records);
});

test.each<[text: string, problem: string]>([
  ['  A 192.0.2.1', '1:3 the first record of the file has no owner name'],
  ['a 5', '1:3 the record has no type'],
  ['a 5 IN', '1:5 the record has no type'],
  ['a 5 FOO x', '1:5 the record type "FOO" is unknown'],
  ['a 5 ANY x', '1:9 ANY data is malformed: '],
  ['a 5 CH A 192.0.2.1', '1:5 the class "CH" is not IN'],
  ['a 5 A 192.0.2', '1:7 A data is malformed: the address must be'],
  ['a 5 A', '1:5 A data is malformed: '],
  ['a 5 TXT "x', '1:9 the quote is not closed'],
  ['a 5 TXT a "x\\2"', '1:13 the escape is broken: write'],
  ['a 5 TXT "x"y', '1:11 there is no space after the closing quote'],
  ['a 5 TXT x"y', '1:10 there is a quote inside a word: write it'],
  ['a 5 A ( 192.0.2.1\n\n', '1:7 the parenthesis is not closed'],
  ['a 5 A 192.0.2.1 )', '1:17 the parenthesis was not opened'],
  ['a..b 5 A 192.0.2.1', '1:1 the name "a..b" has an empty label'],
  ['"a" 5 A 192.0.2.1', '1:1 the owner name must not be in quotes'],
  ['a 2147483648 A 192.0.2.1', '1:3 "2147483648" is more than 2147483647 seconds'],
  ['$INCLUDE other.zone', '1:1 $INCLUDE is not supported'],
  ['$ORIGIN', '1:1 $ORIGIN needs an argument'],
  ['$ORIGIN a b', '1:9 $ORIGIN takes only one argument'],
  ['$ORIGIN "a"', '1:9 the argument of $ORIGIN must not be in quotes'],
  ['$TTL soon', '1:6 "soon" is not a time'],
  ['$FOO x', '1:1 the directive "$FOO" is unknown'],
  ['$GENERATE', '1:1 $GENERATE needs a range, an owner'],
  ['$GENERATE x a A 192.0.2.$', '1:11 "x" is not a range'],
  ['$GENERATE 5-1 a A 192.0.2.$', '1:11 the range 5-1 does not ascend'],
  [
    '$GENERATE 0-262144 a A 192.0.2.$',
    '1:1 with this $GENERATE the file makes 262145 records, more than 262144',
  ],
  [
    `$GENERATE 1-99999 a TXT ${'x'.repeat(200)}`,
    '1:1 with this $GENERATE the file makes 20399796 characters of records',
  ],
  ['a 5 MX 10 a..b', '1:11 MX data is malformed: the exchange'],
  ['a 5 A 192.0.2.1 x', '1:17 A data is malformed: unexpected text after'],
  ['a 5 SOA m r 1 1h 2x 3 4', '1:18 SOA data is malformed: the '],
  ['$GENERATE 1-2 a${0,1,q} A 192.0.2.1', '1:15 ${ in "a${0,1,q}" is not followed by'],
  ['$GENERATE 300-301 a$ 5 A 192.0.2.$', '1:26 A data is malformed: '],
])('%j is one problem, and the next line is read', (text, problem) => {
  const items = read(`${text}\nnext.example.com. 5 A 192.0.2.9\n`);
  expect(items[0]).toContain(problem);
  // An open parenthesis includes the following lines.
  if (!problem.includes('parenthesis is not closed')) {
    expect(items.slice(1)).toEqual(['next.example.com. 5 A 192.0.2.9']);
  }
});

/** Stands in for the conversion by the rules of IDNA. */
const aLabels: Readonly<Record<string, string>> = {
  ö: 'xn--nda',
  'mail.ö': 'mail.xn--nda',
  'ö.': 'xn--nda.',
};

test.each<[what: string, text: string, items: string[]]>([
  ['an owner', 'ö A 192.0.2.1\n', ['xn--nda.example.com.|ö.example.com. 192.0.2.1']],
  ['an absolute owner', 'a.ö. A 192.0.2.1\n', ['a.xn--nda.|a.ö. 192.0.2.1']],
  [
    'an escape beside a U-label',
    'a\\.b.ö A 192.0.2.1\n',
    ['a\\.b.xn--nda.example.com.|a\\.b.ö.example.com. 192.0.2.1'],
  ],
  [
    '$ORIGIN, for owners, @ and the owner of the previous entry',
    '$ORIGIN ö\na A 192.0.2.1\n  A 192.0.2.2\n@ A 192.0.2.3\nx.example. A 192.0.2.4\n',
    [
      'a.xn--nda.example.com.|a.ö.example.com. 192.0.2.1',
      'a.xn--nda.example.com.|a.ö.example.com. 192.0.2.2',
      'xn--nda.example.com.|ö.example.com. 192.0.2.3',
      'x.example. 192.0.2.4',
    ],
  ],
  ['names in data', '@ MX 5 Mail.ö\n', ['example.com. 5 Mail.xn--nda.example.com. U']],
  [
    '$GENERATE',
    '$GENERATE 1-2 $.ö CNAME ö\n',
    [
      '1.xn--nda.example.com.|1.ö.example.com. xn--nda.example.com. U',
      '2.xn--nda.example.com.|2.ö.example.com. xn--nda.example.com. U',
    ],
  ],
  ['text, which stays as it is', '@ TXT ö "ö"\n', ['example.com. "\\195\\182" "\\195\\182"']],
  [
    'an owner that is not valid',
    'a A 192.0.2.1\nx.ä A 192.0.2.1\n',
    ['a.example.com. 192.0.2.1', '2:1 Label "ä" is not a valid internationalised label'],
  ],
  ['an origin that is not valid', '$ORIGIN ä\n', ['1:9 Label "ä" is not a valid internationalised label']],
  [
    'a target that is not valid',
    'a MX 5 (\n  ä )\n',
    ['2:3 Host name "ä" is not a valid internationalised name'],
  ],
  [
    'a name that is too long',
    `${'ö'.repeat(1100)} A 192.0.2.1\n`,
    ['1:1 the name is longer than 255 octets'],
  ],
])('U-labels are read in %s', (_what, text, items) => {
  const found = readZoneFile(linesOf(`$TTL 5\n${text}`), name('example.com'), (label) => aLabels[label]);
  const lines = Array.from(found, (item) => {
    if (isProblem(item)) return `${item.line - 1}:${item.column} ${item.message}`;
    const owner = [formatDomainName(item.owner), ...(item.ownerText === undefined ? [] : [item.ownerText])];
    const data = [formatRdata(item.type, item.rdata), ...(item.hasULabels ? ['U'] : [])];
    return `${owner.join('|')} ${data.join(' ')}`;
  });
  expect(lines).toEqual(items);
});

test('a line longer than any record is one problem', () => {
  const items = read(`a 5 TXT ${'x'.repeat(300_000)}\nb 5 A 192.0.2.1\n`);
  expect(items).toEqual([
    '1:1 the line has 300008 characters, more than 300000',
    'b.example.com. 5 A 192.0.2.1',
  ]);
});

test('a problem in data has the line and column of the wrong word', () => {
  expect(read('a 5 MX ( 10\n  b..c )\nb 5 TXT (\n x\n "y" ; z\n \\300 )\n')).toEqual([
    expect.stringContaining('2:3 MX data is malformed: the exchange'),
    expect.stringContaining('6:2 the escape is broken'),
  ]);
});

test('the rest of an invalid entry in parentheses is skipped', () => {
  const text = '@ 5 SOA a b (\n 1 "2\n\n 3 ; three\n 4 5 )\n 5 NS a\nb 5 TXT ( "x\n y\nc 5 A 192.0.2.1\n';
  expect(read(text, 'example.com')).toEqual([
    '2:4 the quote is not closed',
    '6:2 the first record of the file has no owner name',
    '7:11 the quote is not closed',
    'c.example.com. 5 A 192.0.2.1',
  ]);
});

test('all $GENERATE of a file are counted together', () => {
  const line = '$GENERATE 1-131073 a 5 TXT x\n';
  const items = [...readZoneFile(linesOf(line + line), name('example.com'))];
  expect(items).toHaveLength(131_074);
  expect(items.at(-1)).toMatchObject({ line: 2, column: 1 });
});

/** Pieces of zone files, so that random texts get past the first character. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      'a',
      '@',
      'example.com.',
      '5',
      '1h',
      'IN',
      'CH',
      'A',
      'TXT',
      'SOA',
      'MX',
      'NSEC',
      'SVCB',
      'TYPE65280',
      '\\#',
    ],
    ...[
      ' ',
      ' ',
      '\t',
      '\n',
      '\r\n',
      '(',
      ')',
      '"',
      ';',
      '\\',
      '\\000',
      '\\999',
      '.',
      '=',
      '192.0.2.1',
      '::1',
      '$',
      '${',
    ],
    ...['$ORIGIN ', '$TTL ', '$GENERATE 1-3 ', '$INCLUDE x', '${0,3,x}', '\0', '\ufeff', 'ü'],
  ),
  fc.string({ maxLength: 5 }),
);

test('no text makes the reader throw, and all reported positions and values are valid', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      const lines = [...linesOf(text)];
      for (const item of readZoneFile(lines, name('example.com'))) {
        expect(item.line).toBeLessThanOrEqual(lines.length);
        expect(item.column).toBeGreaterThan(0);
        expect(item.column).toBeLessThanOrEqual(lines[item.line - 1].length + 1);
        if (isProblem(item)) expect(Buffer.byteLength(item.message)).toBeLessThan(512);
        else expect(checkRdata(item.type, item.rdata)).toBeUndefined();
      }
    }),
    { numRuns: 2000 },
  );
});

/** Each text is read character by character a fixed number of times; otherwise these would take hours. */
test.each<[what: string, text: string, items: number]>([
  ['open parentheses on one line', '('.repeat(290_000), 1],
  ['an open parenthesis on each line', 'a ( 5\n'.repeat(100_000), 25],
  ['an unclosed quote on each line', 'a 5 TXT "x\n'.repeat(100_000), 100_000],
  ['a hundred thousand problems', 'a 5 A x\n'.repeat(100_000), 100_000],
  ['long words', `a ${'1s'.repeat(140_000)}x A 192.0.2.1\n`.repeat(10), 10],
  ['a long line of dollar signs', `$GENERATE 1-2 ${'$'.repeat(280_000)} A 192.0.2.1\n`.repeat(10), 10],
  ['a long line of backslashes', `$GENERATE 1-2 ${'\\\\'.repeat(140_000)}$ A 192.0.2.1\n`.repeat(10), 10],
])('reading takes linear time: %s', (_, text, items) => {
  let seen = 0;
  for (const item of readZoneFile(linesOf(text), name('example.com'))) seen += isProblem(item) ? 1 : 0;
  expect(seen).toBe(items);
});
