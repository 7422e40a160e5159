import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readPackageFile } from '../../build/package-file.ts';
import { findCircles } from './circles.ts';
import { folderTable, onlyIn } from './folder-table.ts';
import { findImports, packageName, resolveImport, type Import } from './imports.ts';
import { readSources, type Source } from './source-tree.ts';

const sources = readSources('src');
const products = sources.filter(({ isTest }) => !isTest);
const paths = new Set(sources.map(({ path }) => path));

/** Checks every import of every file except tests; returns one sentence for each violation. */
function complaints(check: (source: Source, found: Import) => string | undefined): string[] {
  return products.flatMap((source) =>
    findImports(source).flatMap((found) => {
      const complaint = check(source, found);
      return complaint === undefined ? [] : [`src/${source.path}:${found.line} ${complaint}`];
    }),
  );
}

test('every folder under src is in the table, and no file is beside them', () => {
  const unknown = [...new Set(sources.map(({ folder }) => folder))].filter(
    (folder) => !(folder in folderTable),
  );
  expect(
    unknown,
    'add the folder to folder-table.ts and ARCHITECTURE.md, or put the file into one of them',
  ).toEqual([]);
  expect(products.length).toBeGreaterThan(50);
});

test('a folder imports only the folders that the table names', () => {
  const wrong = complaints((source, { specifier }) => {
    const target = resolveImport(source, specifier)?.split('/')[0];
    if (target === undefined || target === source.folder) return undefined;
    if (folderTable[source.folder]?.imports.includes(target) === true) return undefined;
    return `must not import ${specifier}: ${source.folder} may know ${folderTable[source.folder]?.imports.join(', ') || 'nothing of ours'}. Move the code to a folder that both may import, or pass it in from app`;
  });
  expect(wrong).toEqual([]);
});

test('a folder uses only the packages that the table names, drivers only in their own folder', () => {
  const wrong = complaints(({ path, folder }, { specifier }) => {
    if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined;
    const name = packageName(specifier);
    const place = onlyIn[name] ?? `${folder}/`;
    if (!path.startsWith(place)) return `must not use ${name}: it belongs into src/${place}`;
    if (folderTable[folder]?.packages.includes(name) === true) return undefined;
    return `must not use ${name}: use the packages of ${folder}, or justify a new entry in folder-table.ts`;
  });
  expect(wrong).toEqual([]);
});

test('a folder uses only the modules of Node that the table names', () => {
  const wrong = complaints(({ path, folder }, { specifier }) => {
    if (!specifier.startsWith('node:')) return undefined;
    const allowed = folderTable[folder]?.node;
    if (onlyIn[specifier] !== undefined && !path.startsWith(onlyIn[specifier]))
      return `must not use ${specifier}: it belongs into src/${onlyIn[specifier]}`;
    if (allowed === undefined || allowed.includes(specifier.slice('node:'.length))) return undefined;
    return `must not use ${specifier}: ${folder} does no such I/O. Pass the result in`;
  });
  expect(wrong).toEqual([]);
});

test('only commit-write writes to the store', () => {
  const writers = products.filter(
    ({ folder, text }) => folder === 'operations' && /\bstore\.write\(/.test(text),
  );
  expect(writers.map(({ path }) => path)).toEqual(['operations/commit-write.ts']);
});

test('modules of Node are imported with the node: prefix', () => {
  const wrong = complaints((_, { specifier }) =>
    /^(fs|path|net|os|crypto|http|stream|util|events|buffer|url)(\/|$)/.test(specifier)
      ? `must name node:${specifier}`
      : undefined,
  );
  expect(wrong).toEqual([]);
});

test('a pure folder reaches no module of Node, not even through what it imports', () => {
  const byPath = new Map(products.map((source) => [source.path, source]));
  const wrong: string[] = [];
  for (const source of products) {
    const rule = folderTable[source.folder];
    if (rule?.pure !== true) continue;
    for (const [specifier, via] of reachedModules(source, byPath)) {
      if (rule.node?.includes(specifier.slice('node:'.length)) === true) continue;
      wrong.push(`src/${source.path} reaches ${specifier} through src/${via}: split the pure part off`);
    }
  }
  expect(wrong).toEqual([]);
});

/** Node modules that are loaded with a file, by name, with the file that imports each. */
function reachedModules(from: Source, byPath: ReadonlyMap<string, Source>): Map<string, string> {
  const reached = new Map<string, string>();
  const seen = new Set<string>();
  const visit = (source: Source): void => {
    if (seen.has(source.path)) return;
    seen.add(source.path);
    for (const { specifier, kind } of findImports(source)) {
      if (kind === 'type') continue;
      if (specifier.startsWith('node:')) reached.set(specifier, source.path);
      const next = byPath.get(resolveImport(source, specifier) ?? '');
      if (next !== undefined) visit(next);
    }
  };
  visit(from);
  return reached;
}

test('every import resolves to a file, and nothing imports a test', () => {
  const wrong = complaints((source, { specifier }) => {
    const target = resolveImport(source, specifier);
    if (target === undefined) return undefined;
    if (!paths.has(target)) return `imports ${specifier}, which does not exist (imports end in .ts)`;
    return /\.test(-support)?\.ts$/.test(target) ? `imports the test file ${specifier}` : undefined;
  });
  expect(wrong).toEqual([]);
});

/** Maps each file to the files that it imports with these kinds of import. */
function importGraph(kinds: readonly Import['kind'][]): Map<string, string[]> {
  return new Map(
    products.map((source) => {
      const counted = findImports(source).filter(({ kind }) => kinds.includes(kind));
      return [source.path, counted.flatMap(({ specifier }) => resolveImport(source, specifier) ?? [])];
    }),
  );
}

const CUT = 'cut the circle: move what both need into a file of its own';

test('no files import each other in a circle', () => {
  expect(findCircles(importGraph(['value'])), CUT).toEqual([]);
});

test('no files import each other in a circle, including types and late imports', () => {
  expect(findCircles(importGraph(['value', 'type', 'later'])), CUT).toEqual([]);
});

/** Maps each folder to the other folders that its files import, including types and late imports. */
function folderGraph(): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const [path, targets] of importGraph(['value', 'type', 'later'])) {
    const folder = folderOf(path);
    const others = targets.map(folderOf).filter((target) => target !== folder);
    graph.set(folder, [...(graph.get(folder) ?? []), ...others]);
  }
  return graph;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

test('no folders or sub-folders import each other in a circle', () => {
  expect(findCircles(folderGraph()), CUT).toEqual([]);
});

const usedPackages = new Set(
  [...products, ...readSources('console/src').filter(({ isTest }) => !isTest)]
    .flatMap((source) => findImports(source).map(({ specifier }) => specifier))
    .filter((name) => !/^(\.|node:)/.test(name))
    .map(packageName),
);

test('every package used is in package.json, and every one that npm installs for users is used', () => {
  const { dependencies, optionalDependencies, devDependencies } = readPackageFile();
  const installed = Object.keys({ ...dependencies, ...optionalDependencies });
  const known = [...installed, ...Object.keys(devDependencies)];
  expect(
    [...usedPackages].filter((name) => !known.includes(name)),
    'add it to devDependencies: the bundle contains it',
  ).toEqual([]);
  expect(
    installed.filter((name) => !usedPackages.has(name)),
    'remove it from dependencies',
  ).toEqual([]);
});

test('every package used has its reason in decision 0004', () => {
  const decision = readFileSync(
    new URL('../../docs/decisions/0004-runtime-dependencies.md', import.meta.url),
    'utf8',
  );
  const named = [...decision.matchAll(/^\| `([^`]+)`/gm)].map((row) => row[1]);
  expect(named.sort()).toEqual([...usedPackages].sort());
});
