import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { text } from '../../console/src/text/en.ts';
import { problemNames } from '../../src/app/service-problems.ts';
import { roleRights } from '../../src/model/role-rights.ts';
import { trailActions } from '../../src/model/trail-entry.ts';
import { findCircles } from './circles.ts';
import { findImports, packageName, resolveImport } from './imports.ts';
import { readSources } from './source-tree.ts';

/* The console is a program of its own: it knows the interface, and nothing of the server. */

const sources = readSources('console/src');
const products = sources.filter(({ isTest }) => !isTest);

/** Folders of src/ that pages may use: pure, and the same for every program. */
const allowedFolders: readonly string[] = ['client', 'contract', 'dns'];

/** Pure as well, and free of the tables that the rest of the folder needs. */
const allowedFiles: readonly string[] = ['src/model/txt-data.ts'];

const allowedPackages: readonly string[] = [
  '@base-ui/react',
  '@tanstack/react-query',
  '@tanstack/react-virtual',
  'react',
  'react-dom',
  'uqr',
  'wouter',
];

const imports = products.flatMap((source) =>
  findImports(source)
    .filter(({ specifier }) => !specifier.endsWith('.css'))
    .map((found) => ({ source, ...found })),
);

test('the console imports only the client, the contract and the protocol of src/', () => {
  const wrong = imports.flatMap(({ source, specifier, line }) => {
    const target = resolveImport({ ...source, path: `console/src/${source.path}` }, specifier);
    if (target === undefined || target.startsWith('console/src/')) return [];
    const [, folder = ''] = /^src\/([^/]+)\//.exec(target) ?? [];
    return allowedFolders.includes(folder) || allowedFiles.includes(target)
      ? []
      : [`console/src/${source.path}:${line} imports ${specifier}`];
  });
  expect(wrong, 'ask the service by way of src/client').toEqual([]);
  expect(products.length).toBeGreaterThan(50);
});

test('the console uses only its own packages, and no module of Node', () => {
  const foreign = imports.filter(
    ({ specifier }) => !specifier.startsWith('.') && !allowedPackages.includes(packageName(specifier)),
  );
  expect(foreign.map(({ source, specifier }) => `${source.path}: ${specifier}`)).toEqual([]);
});

test('no files of the console import each other in a circle', () => {
  const graph = new Map(
    products.map((source) => {
      const own = findImports(source).filter(({ kind }) => kind === 'value');
      return [source.path, own.flatMap(({ specifier }) => resolveImport(source, specifier) ?? [])];
    }),
  );
  expect(findCircles(graph)).toEqual([]);
});

test('no file of the console is over 300 lines', () => {
  const huge = products.filter(({ text }) => text.split('\n').length > 300).map(({ path }) => path);
  expect(huge.filter((path) => posix.basename(path) !== 'en.ts')).toEqual([]);
});

test('file names of the console are kebab-case', () => {
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.tsx?$/;
  expect(sources.map(({ name }) => name).filter((name) => !kebab.test(name))).toEqual([]);
});

test('owners are offered each permission that they have for a new key', () => {
  const offered = text.permissions.flatMap(({ list }) => list.map(([name]) => name));
  expect(offered.toSorted()).toEqual(roleRights.owner.flatMap(({ may }) => may).toSorted());
});

test('the console has words for each action of the trail, and a filter for each object', () => {
  expect(Object.keys(text.trail.actions).toSorted()).toEqual([...trailActions].toSorted());
  const objects = new Set(trailActions.map((action) => action.slice(0, action.indexOf('.'))));
  expect(Object.keys(text.trail.groups).toSorted()).toEqual([...objects].toSorted());
});

test('the page of health has words and a next step for every problem of the service', () => {
  expect(Object.keys(text.health.problems).sort()).toEqual([...problemNames].sort());
});
