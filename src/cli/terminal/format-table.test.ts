import { expect, test } from 'vitest';
import { formatTable, formatTabbed } from './format-table.ts';

test('a table aligns its columns and has no trailing spaces', () => {
  const rows = [
    ['www', 'A'],
    ['a.long.name', 'TXT'],
  ];
  expect(formatTable(['name', 'type'], rows, { hasColor: false })).toBe(
    'NAME         TYPE\nwww          A\na.long.name  TXT\n',
  );
});

test('the header is bold if color is on', () => {
  expect(formatTable(['id'], [['1']], { hasColor: true })).toBe('\u001b[1mID\u001b[22m\n1\n');
});

test('a list without rows is only a header', () => {
  expect(formatTable(['id'], [], { hasColor: false })).toBe('ID\n');
});

test('control characters are escaped', () => {
  expect(formatTabbed([['a\tb', 'c']])).toBe('a\\009b\tc\n');
});

const wide = [
  ['0199b4f0-7c3a-7d3e-8f0a-3a1c5b7d9e11', 'www', `"v=DKIM1; k=rsa; p=${'A'.repeat(60)}"`],
  ['x', 'mail', '192.0.2.1'],
];

test('a table is wrapped to the width of the terminal, the widest columns first', () => {
  const text = formatTable(['id', 'name', 'data'], wide, { hasColor: false, width: 80 });
  const lines = text.trimEnd().split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines[1]).toMatch(/^0199b4f0-7c3a-7d3e-8f0a-3a1c5b7d9e11 {2}www {3}"v=DKIM1; /);
  expect(lines.at(-1)).toMatch(/^x +mail {2}192\.0\.2\.1$/);
  // Nothing is lost but the spaces at which lines were broken.
  const data = lines.slice(1, -1).map((line) => line.slice(44));
  expect(data.join('').replaceAll(' ', '')).toBe(wide[0][2].replaceAll(' ', ''));
});

test('a table on a very narrow terminal keeps columns that can be read', () => {
  const text = formatTable(['id', 'name', 'data'], wide, { hasColor: false, width: 10 });
  expect(text).toContain('0199b4f0-7c3');
  expect(text.split('\n').every((line) => line.length <= 32)).toBe(true);
});

test('a terminal that does not know its width gets the table unwrapped', () => {
  const style = { hasColor: false };
  expect(formatTable(['id', 'data'], wide, { ...style, width: 0 })).toBe(
    formatTable(['id', 'data'], wide, style),
  );
});

test('a wrapped cell keeps its characters whole', () => {
  const text = formatTable(['data'], [['🌍'.repeat(11)]], { hasColor: false, width: 13 });
  expect(Buffer.from(text).toString()).toBe(text);
});
