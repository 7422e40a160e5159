import { expect, test } from 'vitest';
import { formatTable, formatTabbed } from './format-table.ts';

test('a table aligns its columns and has no trailing spaces', () => {
  const rows = [
    ['www', 'A'],
    ['a.long.name', 'TXT'],
  ];
  expect(formatTable(['name', 'type'], rows, false)).toBe(
    'NAME         TYPE\nwww          A\na.long.name  TXT\n',
  );
});

test('the header is bold if color is on', () => {
  expect(formatTable(['id'], [['1']], true)).toBe('\u001b[1mID\u001b[22m\n1\n');
});

test('a list without rows is only a header', () => {
  expect(formatTable(['id'], [], false)).toBe('ID\n');
});

test('control characters are escaped', () => {
  expect(formatTabbed([['a\tb', 'c']])).toBe('a\\009b\tc\n');
});
