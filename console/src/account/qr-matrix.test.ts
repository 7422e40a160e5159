import { expect, test } from 'vitest';
import { encodeQrMatrix } from './qr-matrix.ts';

/** Both as the npm package qrcode-generator 1.5.2 draws them, another program, where it chooses the same mask. */
const short = [
  '#######...###.#######',
  '#.....#....#..#.....#',
  '#.###.#.#.###.#.###.#',
  '#.###.#.##.#..#.###.#',
  '#.###.#.##.##.#.###.#',
  '#.....#.#...#.#.....#',
  '#######.#.#.#.#######',
  '........#####........',
  '#.#####..##.#.#####..',
  '###.#..##.#.#..#.###.',
  '##.#########.#..##.#.',
  '#.#......##....##.#.#',
  '.##.#.##..##.#..#...#',
  '........#######...##.',
  '#######..##.#.##..##.',
  '#.....#.#.#####...#..',
  '#.###.#.###.#..#.#.#.',
  '#.###.#.##..#..#..#..',
  '#.###.#.#..#.#..#.#..',
  '#.....#...#....##.#..',
  '#######.##.#.#..#.##.',
];

function rowsOf(content: string): string[] | undefined {
  return encodeQrMatrix(content)?.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''));
}

test('encodeQrMatrix() draws a short text as others do', () => {
  expect(rowsOf('ZW 0')).toEqual(short);
});

test('encodeQrMatrix() draws several blocks, alignment patterns and the version as others do', async () => {
  const rows = rowsOf('otpauth://totp/0'.padEnd(200, '=x')) ?? [];
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(rows.join('\n')));
  expect(rows).toHaveLength(57);
  expect([...new Uint8Array(hash, 0, 8)]).toEqual([0x24, 0x56, 0x46, 0xd5, 0x11, 0x3c, 0x8c, 0x51]);
});

test('encodeQrMatrix() refuses what has no room', () => {
  expect(encodeQrMatrix('é'.repeat(333))).toHaveLength(97);
  expect(encodeQrMatrix(`${'é'.repeat(333)}x`)).toBeUndefined();
});
