import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { settings } from './config-settings.ts';
import { loadConfig } from './config.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const rows = [
  ...readme.matchAll(/^\| `(?<environment>ZONEWRIGHT_\w+)` +\| (?<fallback>.+?) +\| .+ \|$/gm),
].map(({ groups }) => groups as { environment: string; fallback: string });

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

/** The variables that the source of the command line names. */
function namedByCommands(): ReadonlySet<string> {
  const folder = fileURLToPath(new URL('../cli/', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !/\.test(-support)?\.ts$/.test(file));
  const names = sources.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(VARIABLE) ?? []);
  return new Set(names);
}

const VARIABLE = /\bZONEWRIGHT_[A-Z_]*[A-Z]\b/g;

test('README.md has a row for every variable that the command line reads, and for no other', () => {
  const told = [...readme.matchAll(/^\| `(ZONEWRIGHT_\w+)` +\| [^|]+ \|$/gm)].map(([, name]) => name);
  const ofServer = new Set<string>(Object.values(settings).map(({ environment }) => environment));
  const read = [...namedByCommands()].filter((name) => !ofServer.has(name));
  expect(told.sort()).toEqual(read.sort());
});

test('the variables of the command line do not keep a server from starting', () => {
  const names = [...namedByCommands()].filter((name) => name !== 'ZONEWRIGHT_CONFIG');
  const ofServer = new Set<string>(Object.values(settings).map(({ environment }) => environment));
  const environment = Object.fromEntries(
    names.filter((name) => !ofServer.has(name)).map((name) => [name, 'x']),
  );
  expect(loadConfig({ options: {}, environment })).toMatchObject({ ok: true });
});
