import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSources } from './source-tree.ts';

const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
const scripts = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  }
).scripts;

/** The last cell of each row: titles of tests, or scripts. */
const cells = [...page.matchAll(/\| (`[^`|]+`(?:, `[^`|]+`)*) +\|$/gm)].map(([, cell]) => cell);
const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));

test('every defence in docs/security.md names a test that exists', () => {
  const rows = page.match(/^\| (?!-|attack |risk )/gm) ?? [];
  expect(cells).toHaveLength(rows.length);
  const here = ['src', 'test'].flatMap((folder) => readSources(folder));
  const tests = here.filter(({ path }) => path.endsWith('.test.ts') || path.endsWith('.test-support.ts'));
  const exists = (name: string): boolean =>
    name.startsWith('npm run ')
      ? name.slice('npm run '.length) in scripts
      : tests.some(({ text }) => text.includes(name));
  expect(named.filter((name) => !exists(name))).toEqual([]);
});
