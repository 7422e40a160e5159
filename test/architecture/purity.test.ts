import { expect, test } from 'vitest';
import { folderTable } from './folder-table.ts';
import { findForbiddenGlobals } from './globals.ts';
import { readSources } from './source-tree.ts';

const pureSources = readSources('src').filter(
  ({ folder, isTest }) => !isTest && folderTable[folder]?.pure === true,
);

test('pure folders read no clock, no randomness, no settings, and do no I/O', () => {
  const wrong = pureSources.flatMap((source) =>
    findForbiddenGlobals(source).map(
      ({ name, line, advice }) => `src/${source.path}:${line} uses ${name}: ${advice}`,
    ),
  );
  expect(wrong).toEqual([]);
  expect(pureSources.length).toBeGreaterThan(20);
});
