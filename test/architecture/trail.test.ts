import { expect, test } from 'vitest';
import { readSources } from './source-tree.ts';

const CHANGES = /\b(?:UPDATE|DELETE FROM|REPLACE INTO|DROP TABLE|TRUNCATE)\s+trail\b/i;

test('nothing changes entries of the trail, and only upkeep removes them', () => {
  const files = readSources('src').filter(({ isTest, text }) => !isTest && CHANGES.test(text));
  expect(files.map(({ path }) => path).sort()).toEqual([
    'store/postgres/trail-upkeep.ts',
    'store/sqlite/trail-upkeep.ts',
  ]);
  for (const { text } of files) expect(text).not.toMatch(/\bUPDATE\s+trail\b/i);
});

test('no command and no method of the store is about the trail, except to add and to read', () => {
  const kinds = readSources('src/writes').flatMap(({ isTest, text }) =>
    isTest ? [] : [...text.matchAll(/readonly kind: '(\w*Trail\w*)'/g)].map(([, kind]) => kind),
  );
  expect(kinds).toEqual(['noteTrail']);
  const [reads] = readSources('src/store').filter(({ path }) => path.endsWith('trail-reads.ts'));
  const [, body] = /export interface TrailReads \{(.*?)\n\}/s.exec(reads.text) ?? [];
  expect([...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name)).toEqual(['list', 'slice', 'octets']);
});
