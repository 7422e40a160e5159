import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createPageFileCache } from './page-file-cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'zonewright-page-'));
afterAll(() => rmSync(folder, { recursive: true }));
const folderUrl = pathToFileURL(`${folder}/`);

test('all requests for a file share one buffer', async () => {
  writeFileSync(join(folder, 'a.css'), 'a {}');
  const load = createPageFileCache(folderUrl);
  const [first, second] = await Promise.all([load('a.css'), load('a.css')]);
  const third = await load('a.css');
  expect(first.content.toString()).toBe('a {}');
  expect(second.content).toBe(first.content);
  expect(third.content).toBe(first.content);
});

test('the entity tag depends on the content alone', async () => {
  const tags: string[] = [];
  for (const content of ['b {}', 'c {}', 'b {}']) {
    writeFileSync(join(folder, 'b.css'), content);
    tags.push((await createPageFileCache(folderUrl)('b.css')).etag);
  }
  expect(tags[0]).toMatch(/^"[\w-]+"$/);
  expect(tags[1]).not.toBe(tags[0]);
  expect(tags[2]).toBe(tags[0]);
});

test('a file that could not be read is tried again', async () => {
  const load = createPageFileCache(folderUrl);
  await expect(load('late.css')).rejects.toThrow('ENOENT');
  writeFileSync(join(folder, 'late.css'), 'd {}');
  expect((await load('late.css')).content.toString()).toBe('d {}');
});
