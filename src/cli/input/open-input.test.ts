import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { openInput, readInput } from './open-input.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { textTerminal } from '../terminal/text-terminal.test-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'input-'));
afterAll(() => rmSync(folder, { recursive: true }));

function terminalWith(...pieces: readonly (string | Uint8Array)[]): Terminal {
  const input = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  return { ...textTerminal(), input };
}

const text = 'first\nsecond ü\n\n' + 'x'.repeat(300_000) + '\nlast';

test.each([
  ['a file', text],
  ['a file that ends its last line', `${text}\n`],
])('the lines of %s can be read more than once', async (_, content) => {
  const path = join(folder, 'input');
  writeFileSync(path, content);
  const input = await openInput(path, terminalWith());
  expect([...input.lines()]).toEqual(text.split('\n'));
  expect([...input.lines()].length).toBe(5);
  expect(input.text()).toBe(content);
  expect([input.name, input.sizeBytes]).toEqual([path, Buffer.byteLength(content)]);
  input.close();
});

test('stdin is stored in a file without a name, in whatever pieces it arrives', async () => {
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const bytes = Buffer.from(text);
  const input = await openInput('-', terminalWith(bytes.subarray(0, 14), bytes.subarray(14)));
  expect(readdirSync(temporary)).toEqual([]);
  expect([...input.lines()]).toEqual(text.split('\n'));
  expect([...input.lines()]).toEqual(text.split('\n'));
  expect([input.name, input.sizeBytes]).toEqual(['stdin', bytes.length]);
  input.close();
});

test('input over the limit is refused', async () => {
  await expect(openInput('-', terminalWith('abc', 'de'), 4)).rejects.toThrow(
    'stdin is larger than the limit of 4 bytes',
  );
  await expect(readInput('-', terminalWith('abc', 'de'), 4)).rejects.toThrow('stdin is larger');
  expect(await readInput('-', terminalWith('abc', 'de'), 5)).toBe('abcde');
  const path = join(folder, 'five');
  writeFileSync(path, 'abcde');
  await expect(readInput(path, terminalWith(), 4)).rejects.toThrow(
    `${path} is larger than the limit of 4 bytes`,
  );
  expect(await readInput(path, terminalWith(), 5)).toBe('abcde');
});

test.each([
  ['/nowhere', 'ENOENT'],
  [folder, 'EISDIR'],
])('%s cannot be read', async (path, code) => {
  const sentence = `${path} cannot be read (${code})`;
  await expect(openInput(path, terminalWith())).rejects.toThrow(sentence);
  await expect(readInput(path, terminalWith(), 4)).rejects.toThrow(sentence);
});

test.each([
  ['an octet of Latin-1', [0x62, 0xfc, 0x63]],
  ['a character that is cut off', [0x62, 0xc3]],
])('%s is refused instead of replaced', async (_, octets) => {
  const path = join(folder, 'latin1');
  writeFileSync(path, Uint8Array.from(octets));
  for (const from of [path, '-']) {
    const sentence = `${from === '-' ? 'stdin' : path} is not valid UTF-8`;
    const terminal = () => terminalWith(Uint8Array.from(octets));
    const input = await openInput(from, terminal());
    expect(() => input.text()).toThrow(sentence);
    expect(() => [...input.lines()]).toThrow(sentence);
    input.close();
    await expect(readInput(from, terminal(), 4)).rejects.toThrow(sentence);
  }
});
