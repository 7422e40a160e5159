import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TAR_END_BYTES, tarHeader, tarPadding } from './tar.ts';

function archive(files: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(files).flatMap(([path, text]) => {
    const content = Buffer.from(text);
    const file = { path, sizeBytes: content.length, modifiedSeconds: 1_795_165_411 };
    return [tarHeader(file), content, tarPadding(content.length)];
  });
  return Buffer.concat([...parts, new Uint8Array(TAR_END_BYTES)]);
}

test.each([
  [
    'short paths and contents of any length',
    { 'a/b.txt': 'hello\n', 'a/empty': '', 'a/block': 'x'.repeat(512) },
  ],
  ['a path that fills its field', { [`a/${'n'.repeat(98)}`]: 'content' }],
  [
    'paths that are longer than their field',
    { [`a/${'n'.repeat(99)}`]: '1', [`a/${'d'.repeat(200)}/${'f'.repeat(200)}`]: '2' },
  ],
  ['a path beyond ASCII', { 'a/bücher.txt': 'ü' }],
  [
    'a path whose record has a length with another number of digits',
    { [`${'a/'.repeat(44)}x`]: 'x', [`${'a/'.repeat(60)}${'x'.repeat(30)}`]: 'y' },
  ],
])('GNU tar extracts %s', (_, files) => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-tar-'));
  try {
    writeFileSync(join(folder, 'all.tar'), archive(files));
    execFileSync('tar', ['-xf', 'all.tar'], { cwd: folder, stdio: 'pipe' });
    for (const [path, text] of Object.entries(files))
      expect(readFileSync(join(folder, path), 'utf8'), path).toBe(text);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a file of more than 8 GiB has its size in a record', () => {
  const sizeBytes = 8 * 2 ** 30 + 5;
  const header = Buffer.from(tarHeader({ path: 'large', sizeBytes, modifiedSeconds: 0 })).toString('latin1');
  expect(header).toContain(`19 size=${sizeBytes}\n`);
  expect(header.length).toBe(3 * 512);
});
