import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settings } from './config-settings.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const rows = [...readme.matchAll(/^\| `(?<environment>ZONEWRIGHT_\w+)` +\| (?<fallback>.+?) +\|/gm)].map(
  ({ groups }) => groups as { environment: string; fallback: string },
);

test('README.md has a row for every setting, in the order of the table', () => {
  expect(rows.map(({ environment }) => environment)).toEqual(
    Object.values(settings).map(({ environment }) => environment),
  );
});

test.each(Object.values(settings).filter(({ fallback }) => typeof fallback === 'string'))(
  'README.md has the default of $environment',
  ({ environment, fallback }) => {
    const { fallback: told = '' } = rows.find((row) => row.environment === environment) ?? {};
    if (fallback === '') expect(told).toMatch(/^(–|a new one at each start)$/);
    else expect(told).toBe(`\`${String(fallback)}\``);
  },
);
