import { expect, test } from 'vitest';
import { checkLevel } from './check-level.ts';

const SAMPLES = 240;
const MB = 2 ** 20;

/** Reproducible noise from -1 to 1. */
const noise = (i: number): number => Math.sin(i * 12.9898) * Math.cos(i * 78.233);

test.each<[what: string, problems: number, memory: (i: number) => number, files: (i: number) => number]>([
  ['level figures', 0, () => 150 * MB, () => 60],
  ['a heap that breathes', 0, (i) => (150 + 20 * noise(i)) * MB, (i) => Math.round(60 + 3 * noise(i))],
  ['memory that falls', 0, (i) => (300 - i) * MB, () => 60],
  ['one step, level before and after', 0, (i) => (i < 100 ? 150 : 190) * MB, () => 60],
  ['single outliers', 0, (i) => (i % 50 === 0 ? 900 : 150) * MB, (i) => (i % 50 === 0 ? 500 : 60)],
  ['a leak under noise', 1, (i) => (150 + i / 3 + 10 * noise(i)) * MB, () => 60],
  ['a file left open now and then', 1, () => 150 * MB, (i) => 60 + Math.floor(i / 20)],
  ['both', 2, (i) => (150 + i / 4) * MB, (i) => 60 + Math.floor(i / 20)],
])('%s: %i problems', (_, problems, memory, files) => {
  const samples = Array.from({ length: SAMPLES }, (_, i) => ({
    memoryBytes: memory(i),
    openFiles: files(i),
    lagSeconds: 0,
    loopDelayMs: 10,
  }));
  expect(checkLevel('process', samples)).toHaveLength(problems);
});
