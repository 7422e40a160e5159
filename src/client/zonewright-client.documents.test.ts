// Checks that docs/client.md lists all calls, and names only what the package exports.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as exported from './zonewright-client.ts';

const document = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');
const client = exported.createClient({ url: 'http://127.0.0.1:1', key: 'zw_k' });

test.each(Object.entries(client))('docs/client.md lists each call of client.%s', (part, calls: object) => {
  const [, row = ''] = new RegExp(`^\\| .client\\.${part}. +\\|(.*)\\|$`, 'm').exec(document) ?? [];
  const listed = [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(listed).toEqual(expect.arrayContaining(Object.keys(calls)));
});

test('the package exports what docs/client.md imports from it', () => {
  const imports = [...document.matchAll(/import \{ (?<names>[^}]+) \} from 'zonewright\/client'/g)];
  const names = imports.flatMap(({ groups }) => groups?.['names']?.split(', ') ?? []);
  expect(names).toEqual(expect.arrayContaining(['ApiError', 'UnreachableError', 'createClient']));
  expect(Object.keys(exported)).toEqual(expect.arrayContaining(names));
});
