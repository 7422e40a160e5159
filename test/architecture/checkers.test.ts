import { expect, test } from 'vitest';
import { findCircles } from './circles.ts';
import { findComments } from './comments.ts';
import { findForbiddenGlobals } from './globals.ts';
import { findImports, packageName, resolveImport } from './imports.ts';
import { parseSource } from './source-tree.ts';

/* Tests of the checkers: a rule that finds nothing would always pass. */

test.each([
  ["import { a } from './a.ts';", [['./a.ts', 'value']]],
  ["import './a.ts';", [['./a.ts', 'value']]],
  ["import * as a from 'pkg/sub';", [['pkg/sub', 'value']]],
  ["import type { A } from './a.ts';", [['./a.ts', 'type']]],
  ["import { type A, type B } from './a.ts';", [['./a.ts', 'type']]],
  ["import { type A, b } from './a.ts';", [['./a.ts', 'value']]],
  ["export { a } from './a.ts';", [['./a.ts', 'value']]],
  ["export type { A } from './a.ts';", [['./a.ts', 'type']]],
  ["const a = await import('./a.ts');", [['./a.ts', 'later']]],
  ["let a: import('./a.ts').A;", [['./a.ts', 'type']]],
  ["startWorker(new URL('./a-worker.ts', import.meta.url));", [['./a-worker.ts', 'later']]],
  ["new URL('./folder/', import.meta.url); // import x from './y.ts'", []],
])('findImports() reads %s', (text, expected) => {
  expect(findImports(parseSource('a/b.ts', text)).map(({ specifier, kind }) => [specifier, kind])).toEqual(
    expected,
  );
});

test('resolveImport() gives paths from the root, packageName() the package', () => {
  const source = parseSource('store/sqlite/x.ts', '');
  expect(resolveImport(source, '../store.ts')).toBe('store/store.ts');
  expect(resolveImport(source, '../../dns/name.ts')).toBe('dns/name.ts');
  expect(resolveImport(source, 'pino')).toBeUndefined();
  expect(['@a/b/c', 'x/y', 'z'].map(packageName)).toEqual(['@a/b', 'x', 'z']);
});

test.each([
  ['const now = Date.now();', ['Date']],
  ['new Date(); Date()', ['Date', 'Date']],
  ['new Date(1000 * seconds).toISOString(); Date.UTC(2026, 0)', []],
  ['const n = Math.random() + Math.floor(2);', ['Math.random']],
  [
    'process.env.X; console.log(1); setTimeout(f, 1); void fetch(u);',
    ['process', 'console', 'setTimeout', 'fetch'],
  ],
  ['const bytes = Buffer.alloc(1); const at = performance.now();', ['Buffer', 'performance']],
  ['x.process; const y = { console: 1 }; interface Z { fetch: number }', []],
  ['function f(process: number) { return process; }', []],
  ['let when: Date | undefined; type B = Buffer;', []],
  ["// Date.now()\nconst text = 'Math.random()';", []],
])('findForbiddenGlobals() reads %s', (text, expected) => {
  expect(findForbiddenGlobals(parseSource('dns/a.ts', text)).map(({ name }) => name)).toEqual(expected);
});

test.each([
  [{ a: ['b'], b: ['c'], c: [] }, []],
  [{ a: ['b'], b: ['a'] }, [['a', 'b']]],
  [{ a: ['a'] }, [['a']]],
  [
    { a: ['b', 'd'], b: ['c'], c: ['b'], d: ['e'], e: ['f'], f: ['d'] },
    [
      ['b', 'c'],
      ['d', 'e', 'f'],
    ],
  ],
  [{ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, []],
])('findCircles() of %j', (graph, expected) => {
  expect(findCircles(new Map(Object.entries(graph))).sort()).toEqual(expected);
});

test.each([
  ['/** One line. */ const a = 1; // after', ['One line.', 'after']],
  ['/**\n * Two\n * lines.\n */', ['', 'Two', 'lines.', '']],
  ["const url = 'http://x';", []],
])('findComments() reads %j', (text, expected) => {
  expect(findComments(text).map((comment) => comment.text)).toEqual(expected);
});
