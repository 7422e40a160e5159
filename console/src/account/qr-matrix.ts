// QR codes (ISO/IEC 18004) of texts: byte mode, error correction level M. Pure. Draws nothing: the result is which modules are dark.
import { correctionOf } from './qr-correction.ts';

/** For each version from 1: codewords of error correction in a block, and the number of blocks, at level M. */
const correctionWords = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const blockCounts = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

/** Rows from the top; true is dark. */
export type QrMatrix = readonly (readonly boolean[])[];

/** A square under way: `isFixed` says which modules are patterns and formats, which no mask changes. */
interface Canvas {
  readonly size: number;
  readonly dark: boolean[][];
  readonly isFixed: boolean[][];
}

/** Returns undefined for more than 666 octets of UTF-8. */
export function encodeQrMatrix(content: string): QrMatrix | undefined {
  const bytes = new TextEncoder().encode(content);
  const version = blockCounts.findIndex((_, index) => bytes.length <= capacityOf(index + 1)) + 1;
  if (version === 0) return undefined;
  const words = interleave(addPadding(bytes, version), version);
  const drawn = Array.from({ length: 8 }, (_, mask) => draw(words, version, mask));
  return drawn.reduce((best, other) => (penaltyOf(other) < penaltyOf(best) ? other : best));
}

function draw(words: readonly number[], version: number, mask: number): QrMatrix {
  const canvas = drawPatterns(version);
  drawFormat(canvas, mask);
  if (version >= 7) drawVersion(canvas, version);
  drawWords(canvas, words, mask);
  return canvas.dark;
}

function sizeOf(version: number): number {
  return version * 4 + 17;
}

/** Codewords of data and of error correction together. */
function wordsOf(version: number): number {
  const free = drawPatterns(version)
    .isFixed.flat()
    .filter((isFixed) => !isFixed).length;
  return Math.floor(free / 8);
}

function dataWordsOf(version: number): number {
  return wordsOf(version) - correctionWords[version - 1] * blockCounts[version - 1];
}

/** The mode has four bits, and the length 8 or, from version 10 on, 16. */
function headBitsOf(version: number): number {
  return version < 10 ? 12 : 20;
}

function capacityOf(version: number): number {
  return Math.floor((dataWordsOf(version) * 8 - headBitsOf(version)) / 8);
}

const BYTE_MODE = '0100';
const padding = [0xec, 0x11];

function addPadding(bytes: Uint8Array, version: number): number[] {
  const length = bytes.length.toString(2).padStart(headBitsOf(version) - 4, '0');
  const data = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const count = dataWordsOf(version);
  // The terminator has four bits, or as many as are left.
  const bits = (BYTE_MODE + length + data + '0000').slice(0, count * 8);
  const words = (bits.match(/.{1,8}/g) ?? []).map((word) => Number.parseInt(word.padEnd(8, '0'), 2));
  while (words.length < count) words.push(...padding.slice(0, count - words.length));
  return words;
}

/** Blocks with their error correction, a codeword of each in turn; the last ones may be one longer. */
function interleave(data: readonly number[], version: number): number[] {
  const count = blockCounts[version - 1];
  const short = Math.floor(data.length / count);
  const longFrom = count - (data.length % count);
  const starts = Array.from(
    { length: count + 1 },
    (_, block) => block * short + Math.max(0, block - longFrom),
  );
  const blocks = starts.slice(0, count).map((start, block) => data.slice(start, starts[block + 1]));
  const corrections = blocks.map((block) => correctionOf(block, correctionWords[version - 1]));
  return [...inTurn(blocks), ...inTurn(corrections)];
}

function inTurn(blocks: readonly (readonly number[])[]): number[] {
  const longest = Math.max(...blocks.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => blocks.flatMap((block) => block[index] ?? [])).flat();
}

function drawPatterns(version: number): Canvas {
  const size = sizeOf(version);
  const square = () => Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  const canvas: Canvas = { size, dark: square(), isFixed: square() };
  for (let index = 0; index < size; index++) {
    fix(canvas, 6, index, index % 2 === 0);
    fix(canvas, index, 6, index % 2 === 0);
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    drawRings(canvas, row, column, 4, [2, 4]);
  const places = alignmentsOf(version);
  const last = places.length - 1;
  for (const [y, row] of places.entries())
    for (const [x, column] of places.entries()) {
      const isFinder = (y === 0 && x === 0) || (y === 0 && x === last) || (y === last && x === 0);
      if (!isFinder) drawRings(canvas, row, column, 2, [1]);
    }
  drawFormat(canvas, 0);
  if (version >= 7) drawVersion(canvas, version);
  return canvas;
}

/** A square around a centre; the rings at the given distances are light. */
function drawRings(
  canvas: Canvas,
  row: number,
  column: number,
  radius: number,
  light: readonly number[],
): void {
  for (let dy = -radius; dy <= radius; dy++)
    for (let dx = -radius; dx <= radius; dx++)
      fix(canvas, row + dy, column + dx, !light.includes(Math.max(Math.abs(dy), Math.abs(dx))));
}

function alignmentsOf(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const last = sizeOf(version) - 7;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - (count - 2 - index) * step)];
}

function fix({ size, dark, isFixed }: Canvas, row: number, column: number, isDark: boolean): void {
  if (row < 0 || column < 0 || row >= size || column >= size) return;
  dark[row][column] = isDark;
  isFixed[row][column] = true;
}

/** Level M and the mask, with the remainder of a BCH code (15,5), in two places. */
function drawFormat(canvas: Canvas, mask: number): void {
  const bits = ((mask << 10) | remainderOf(mask, 10, 0x537)) ^ 0x5412;
  const { size } = canvas;
  for (let index = 0; index < 15; index++) {
    const isDark = ((bits >> index) & 1) === 1;
    fix(canvas, index < 6 ? index : index < 8 ? index + 1 : size - 15 + index, 8, isDark);
    fix(canvas, 8, index < 8 ? size - 1 - index : index < 9 ? 7 : 14 - index, isDark);
  }
  fix(canvas, size - 8, 8, true);
}

/** The version, with the remainder of a BCH code (18,6), in two places. */
function drawVersion(canvas: Canvas, version: number): void {
  const bits = (version << 12) | remainderOf(version, 12, 0x1f25);
  for (let index = 0; index < 18; index++) {
    const isDark = ((bits >> index) & 1) === 1;
    const far = canvas.size - 11 + (index % 3);
    fix(canvas, far, Math.floor(index / 3), isDark);
    fix(canvas, Math.floor(index / 3), far, isDark);
  }
}

function remainderOf(value: number, bits: number, generator: number): number {
  let rest = value;
  for (let step = 0; step < bits; step++) rest = (rest << 1) ^ ((rest >> (bits - 1)) * generator);
  return rest;
}

/** In columns of two from the right, up and down in turn. The column of the timing pattern is left out. */
function drawWords({ size, dark, isFixed }: Canvas, words: readonly number[], mask: number): void {
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUpward = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const row = isUpward ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (isFixed[row]?.[column]) continue;
        const word = words[bit >> 3];
        const isSet = ((word >> (7 - (bit & 7))) & 1) === 1;
        dark[row][column] = isSet !== isMasked(mask, row, column);
        bit++;
      }
    }
  }
}

const masks: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

function isMasked(mask: number, row: number, column: number): boolean {
  return masks[mask](row, column);
}

/** The fewer points, the easier it is to read. */
function penaltyOf(matrix: QrMatrix): number {
  const columns = matrix.map((_, index) => matrix.map((row) => row[index]));
  const lines = [...matrix, ...columns].map((line) => line.map((isDark) => (isDark ? '1' : '0')).join(''));
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []);
  const finders = lines.flatMap((line) => line.match(/(?=00001011101|10111010000)/g) ?? []);
  const darkShare = matrix.flat().filter(Boolean).length / matrix.length ** 2;
  const imbalance = Math.floor(Math.abs(darkShare * 100 - 50) / 5);
  return (
    runs.reduce((sum, { length }) => sum + length - 2, 0) +
    3 * countSquares(matrix) +
    40 * finders.length +
    10 * imbalance
  );
}

function countSquares(matrix: QrMatrix): number {
  let count = 0;
  for (const [y, row] of matrix.entries()) {
    const next = matrix[y + 1];
    for (const [x, isDark] of row.entries())
      if (y + 1 < matrix.length && row[x + 1] === isDark && next[x] === isDark && next[x + 1] === isDark)
        count++;
  }
  return count;
}
