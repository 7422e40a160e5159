import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { formatDomainName } from '../../dns/name.ts';
import { formatRdata } from '../../dns/rdata/rdata.ts';
import { isProblem, linesOf, readZoneFile } from '../../dns/zone-file/read-zone-file.ts';
import { getZoneName, uLabelsToAscii } from '../names/zone-names.ts';
import { expandIncludes } from './expand-includes.ts';

const outside = mkdtempSync(join(tmpdir(), 'zw-include-'));
const folder = join(outside, 'zones');
const origin = getZoneName('example.com');
mkdirSync(join(folder, 'sub'), { recursive: true });
afterAll(() => rmSync(outside, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

function expand(text: string, name = 'example.com.zone') {
  const path = join(folder, name);
  return expandIncludes(text, { path, folder: dirname(path), origin });
}

/** The records of a text, as the service reads them. */
function recordsIn(text: string): string[] {
  return [...readZoneFile(linesOf(text), origin)].map((item) =>
    isProblem(item)
      ? item.message
      : `${formatDomainName(item.owner)} ${item.ttl} ${formatRdata(item.type, item.rdata)}`,
  );
}

test('an included file is inserted, and origin and owner are those from before it', () => {
  write({ 'hosts.inc': '\tA 192.0.2.2\na A 192.0.2.3\n$ORIGIN deep.example.com.\nb A 192.0.2.4\n' });
  const found = expand(
    '$TTL 60\n@ A 192.0.2.1\n$INCLUDE hosts.inc ; comment\n  A 192.0.2.5\nc A 192.0.2.6\n$INCLUDE "hosts.inc" sub\n',
  );
  expect(recordsIn(found?.text ?? '')).toEqual([
    'example.com. 60 192.0.2.1',
    'example.com. 60 192.0.2.2',
    'a.example.com. 60 192.0.2.3',
    'b.deep.example.com. 60 192.0.2.4',
    'example.com. 60 192.0.2.5',
    'c.example.com. 60 192.0.2.6',
    'c.example.com. 60 192.0.2.2',
    'a.sub.example.com. 60 192.0.2.3',
    'b.deep.example.com. 60 192.0.2.4',
  ]);
});

test('nested files read as BIND reads them: origins end with a file, and $TTL does not', () => {
  write({
    'x.inc': '  A 192.0.2.2\ny A 192.0.2.3\n$INCLUDE sub/z.inc q\n  A 192.0.2.9\n',
    'sub/z.inc': '$TTL 30\n@ A 192.0.2.7\n',
  });
  const text = expand('$TTL 60\n@ A 192.0.2.1\n$INCLUDE x.inc deep\n  A 192.0.2.5\nlast A 192.0.2.6\n')?.text;
  expect(recordsIn(text ?? '')).toEqual([
    'example.com. 60 192.0.2.1',
    'example.com. 60 192.0.2.2',
    'y.deep.example.com. 60 192.0.2.3',
    'q.deep.example.com. 30 192.0.2.7',
    'y.deep.example.com. 30 192.0.2.9',
    'example.com. 30 192.0.2.5',
    'last.example.com. 30 192.0.2.6',
  ]);
});

test('U-labels stay in origins and owners', () => {
  write({ 'u.inc': '  A 192.0.2.2\nö A 192.0.2.3\n' });
  const text = expand(
    '$TTL 60\n$ORIGIN münchen.example.com.\nbücher A 192.0.2.1\n$INCLUDE u.inc zürich\n  A 192.0.2.4\nx A 192.0.2.5\n',
  )?.text;
  const owners = [...readZoneFile(linesOf(text ?? ''), origin, uLabelsToAscii)].map((item) =>
    isProblem(item) ? item.message : item.ownerText,
  );
  expect(owners).toEqual([
    'bücher.münchen.example.com.',
    'bücher.münchen.example.com.',
    'ö.zürich.münchen.example.com.',
    'bücher.münchen.example.com.',
    'x.münchen.example.com.',
  ]);
  expect(() => expand('$INCLUDE u.inc a\u200db\n')).toThrow(
    /line 1: Label "a.*b" is not a valid internationalised label/,
  );
});

test('a record without an owner behind an included file needs an owner before that file, as in BIND', () => {
  write({ 'hosts.inc': 'a A 192.0.2.3\n', 'both.inc': '$INCLUDE hosts.inc\n  A 192.0.2.5\n' });
  expect(() => expand('$TTL 60\n$INCLUDE hosts.inc\n  A 192.0.2.5\n')).toThrow(
    /example\.com\.zone, line 3: the record has no owner, and none is before the \$INCLUDE/,
  );
  expect(() => expand('$INCLUDE both.inc\n')).toThrow(/both\.inc, line 2: the record has no owner/);
});

test('an included file that begins without an owner does not take that of the file included before it', () => {
  write({ 'hosts.inc': 'a A 192.0.2.3\n', 'next.inc': '  A 192.0.2.4\n' });
  const twice = '$INCLUDE hosts.inc\n$INCLUDE next.inc\n';
  expect(recordsIn(expand(`$TTL 60\nb A 192.0.2.1\n${twice}`)?.text ?? '').at(-1)).toBe(
    'b.example.com. 60 192.0.2.4',
  );
  expect(() => expand(twice)).toThrow(/next\.inc, line 1: the record has no owner/);
});

test('parentheses that open or close on other lines than the words belong to the entry', () => {
  write({ 'hosts.inc': 'a A 192.0.2.3\n' });
  const text = expand(
    '$TTL 60\nb A 192.0.2.1\n$INCLUDE ( hosts.inc ; one\n; two\n  )\n  (\n A 192.0.2.5 )\nc A 192.0.2.6\n',
  )?.text;
  expect(recordsIn(text ?? '')).toEqual([
    'b.example.com. 60 192.0.2.1',
    'a.example.com. 60 192.0.2.3',
    'b.example.com. 60 192.0.2.5',
    'c.example.com. 60 192.0.2.6',
  ]);
});

test('each line knows its file', () => {
  write({ 'hosts.inc': 'a A 192.0.2.3\nb A 192.0.2.300\n' });
  const found = expand('$TTL 60\n$INCLUDE hosts.inc\nc A x\n');
  const lines = found?.text.split('\n') ?? [];
  const placeOf = (text: string) => found?.places[lines.indexOf(text) + 1];
  expect(placeOf('b A 192.0.2.300')).toEqual({ file: join(folder, 'hosts.inc'), line: 2 });
  expect(placeOf('c A x')).toEqual({ file: undefined, line: 3 });
});

test('a text that includes nothing is not touched', () => {
  expect(expand('a 60 TXT "$INCLUDE x"\n')).toBeUndefined();
});

writeFileSync(join(outside, 'secret'), 'a 60 A 192.0.2.1\n');
symlinkSync(join(outside, 'secret'), join(folder, 'link.inc'));
symlinkSync(outside, join(folder, 'up'));
execFileSync('mkfifo', [join(folder, 'pipe.inc')]);
writeFileSync(join(folder, 'large.inc'), '');
truncateSync(join(folder, 'large.inc'), 64 * 2 ** 20 + 1);
write({
  'self.inc': '$INCLUDE self.inc\n',
  'twice.inc': '$INCLUDE half.inc\n$INCLUDE half.inc\n',
  'open.inc': 'a 60 TXT (\n',
  'latin.inc': '',
});
writeFileSync(join(folder, 'latin.inc'), Buffer.from('a 60 TXT "b\xfc"', 'latin1'));

test.each([
  ['../secret', /line 2: \$INCLUDE \.\.\/secret leads out of the folder/],
  ['/etc/passwd', /leads out of the folder/],
  ['link.inc', /leads out of the folder/],
  ['up/secret', /leads out of the folder/],
  ['missing.inc', /cannot be read \(ENOENT\)/],
  ['sub', /sub is not a file|EISDIR/],
  ['pipe.inc', /pipe\.inc is not a file/],
  ['large.inc', /is larger than/],
  ['self.inc', /nested more than 16 times/],
  ['open.inc', /open\.inc, line 1: the parenthesis is not closed/],
  ['latin.inc', /not valid UTF-8/],
  ['hosts.inc a b', /takes the name of a file/],
  ['hosts.inc a..b', /empty label/],
  ['', /takes the name of a file/],
])('$INCLUDE %s is refused', (name, problem) => {
  expect(() => expand(`; one\n$INCLUDE ${name}\n`)).toThrow(problem);
});

test('the number of included files is limited', () => {
  write({ 'one.inc': '' });
  expect(() => expand('$INCLUDE one.inc\n'.repeat(1001))).toThrow(/more than 1000 files/);
});
