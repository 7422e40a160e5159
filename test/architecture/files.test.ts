import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { findComments } from './comments.ts';
import { lineOf, parseSource, readSources, walk, type Source } from './source-tree.ts';

const sources = readSources('src');
const products = sources.filter(({ isTest }) => !isTest);
const everything = [...sources.map(inFolder('src')), ...readSources('test').map(inFolder('test'))];

const MOST_LINES = 400;
const USUAL_LINES = 300;
const USUAL_FUNCTION_LINES = 35;
const USUAL_SHARE = 0.95;

function inFolder(root: string): (source: Source) => Source {
  return (source) => ({ ...source, path: `${root}/${source.path}` });
}

test('no file of src is over 400 lines, and 95 % are under 300', () => {
  const sizes = products.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  const huge = sizes
    .filter(({ lines }) => lines > MOST_LINES)
    .map(({ path, lines }) => `src/${path}: ${lines} lines`);
  expect(huge, 'split the file by topic').toEqual([]);
  const large = sizes.filter(({ lines }) => lines >= USUAL_LINES);
  expect(large.length, `split the largest: ${JSON.stringify(large)}`).toBeLessThanOrEqual(
    sizes.length * (1 - USUAL_SHARE),
  );
});

test('95 % of the functions are under 35 lines', () => {
  const functions = products.flatMap((source) => functionSizes(source));
  const long = functions.filter(({ lines }) => lines >= USUAL_FUNCTION_LINES);
  const names = long.map(({ name, lines }) => `${name} (${lines})`);
  expect(functions.length).toBeGreaterThan(100);
  expect(
    long.length,
    `keep the decisions and move the rest to other functions: ${names.join(', ')}`,
  ).toBeLessThanOrEqual(functions.length * (1 - USUAL_SHARE));
});

/** Measures functions with a name and a body in braces. */
function functionSizes(source: Source): { name: string; lines: number }[] {
  const sizes: { name: string; lines: number }[] = [];
  walk(source.tree, (node) => {
    if (!(
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isConstructorDeclaration(node)
    ))
      return;
    if (node.body === undefined) return;
    const end = source.tree.getLineAndCharacterOfPosition(node.end).line + 1;
    sizes.push({
      name: `src/${source.path} ${node.name?.getText() ?? 'constructor'}`,
      lines: end - lineOf(source, node) + 1,
    });
  });
  return sizes;
}

test('no file or folder is called utils, helpers, common, misc or index', () => {
  const vague = /(^|[/-])(utils?|helpers?|common|misc|shared|lib|index)([/.-]|$)/;
  const wrong = sources.map(({ path }) => path).filter((path) => vague.test(path));
  expect(wrong, 'name the file after its main export').toEqual([]);
});

test('file names are kebab-case', () => {
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+(-[a-z]+)*)*\.ts$/;
  expect(
    everything.map(({ path }) => path).filter((path) => !kebab.test(path.split('/').pop() ?? '')),
  ).toEqual([]);
});

test('no file only re-exports, and no file exports everything of another', () => {
  const wrong: string[] = [];
  for (const { path, tree } of products) {
    const passesOn = tree.statements.filter(
      (node) => ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined,
    );
    const own = tree.statements.filter(
      (node) => !ts.isImportDeclaration(node) && !ts.isExportDeclaration(node),
    );
    const wholesale = passesOn.some(
      (node) => ts.isExportDeclaration(node) && node.exportClause === undefined,
    );
    if (wholesale || (passesOn.length > 0 && own.length === 0)) wrong.push(`src/${path}`);
  }
  expect(wrong, 'import from the file that declares it').toEqual([]);
});

test('there are no default exports', () => {
  const wrong = products.filter(({ tree }) =>
    tree.statements.some((node) => ts.isExportAssignment(node) || hasDefault(node)),
  );
  expect(
    wrong.map(({ path }) => `src/${path}`),
    'export it by its name',
  ).toEqual([]);
});

function hasDefault(node: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
  );
}

/** One declaration per file; tables of rows test all of them together. */
const TESTED_TOGETHER = 'dns/record-types/';

test('a test is beside the file that it tests', () => {
  const paths = new Set(products.map(({ path }) => path));
  const tests = sources.filter(
    ({ name, path }) => name.endsWith('.test.ts') && !path.startsWith(TESTED_TOGETHER),
  );
  const lost = tests.filter(({ path }) => !paths.has(path.replace(/(\.[a-z-]+)*\.test\.ts$/, '.ts')));
  expect(
    lost.map(({ path }) => `src/${path}`),
    'name it after the file it tests',
  ).toEqual([]);
});

/** The configuration of `npm test`, and of the part of `npm run test:interop` that Vitest runs. */
const CONFIGURATIONS = ['vitest.config.ts', 'test/interop/replication/vitest.config.ts'];

test('every folder of tests is run by a project of a Vitest configuration', () => {
  const texts = CONFIGURATIONS.map((path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
  const config = texts.join('');
  const folders = new Set(
    readSources('test')
      .filter(({ name }) => name.endsWith('.test.ts'))
      .map(({ folder }) => folder),
  );
  const forgotten = [...folders].filter((folder) => !new RegExp(`test/[^']*\\b${folder}\\b`).test(config));
  expect(forgotten, 'name the folder in one of the projects').toEqual([]);
});

test('no test is skipped, focused or postponed', () => {
  const wrong: string[] = [];
  for (const source of everything.filter(({ isTest }) => isTest)) {
    walk(source.tree, (node) => {
      if (!ts.isPropertyAccessExpression(node) || !/^(skip|only|todo|fails)$/.test(node.name.text)) return;
      if (/^(test|it|describe)\b/.test(node.expression.getText()))
        wrong.push(`${source.path}:${lineOf(source, node)}`);
    });
  }
  expect(wrong, 'fix or remove the test').toEqual([]);
});

test('no comment postpones work', () => {
  const later = /\b(TODO|FIXME|XXX|HACK)\b|\bfor now\b/;
  const wrong = everything.flatMap(({ path, text }) => {
    const found = findComments(text).filter((comment) => later.test(comment.text));
    return found.map(({ line }) => `${path}:${line}`);
  });
  expect(wrong, 'do the work, or open an issue').toEqual([]);
});

test('every rule of docs/contract.md has a test that begins with its number', () => {
  const contract = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8');
  const rules = Array.from(contract.matchAll(/^(\d+)\. /gm), ([, number]) => Number(number));
  expect(rules).toEqual([...new Set(rules)].sort((a, b) => a - b));
  expect(rules.length).toBeGreaterThan(70);
  const tests = readSources('test').filter(({ folder }) => folder === 'contract' || folder === 'kill');
  const titles = tests.flatMap(({ text }) => [...text.matchAll(/['"`]rules? (\d+)(?: and (\d+))?: /g)]);
  const numbers = new Set(titles.flatMap((match) => [Number(match[1]), Number(match[2])]));
  expect(rules.filter((rule) => !numbers.has(rule))).toEqual([]);
});

test('only a test file registers hooks when it is loaded', () => {
  const shared = everything.filter(({ name }) => !/\.test\.tsx?$/.test(name));
  expect(
    shared.flatMap(hooksOnLoad),
    'unit tests share modules, so that the hook would hold for one file of them: register it in a function',
  ).toEqual([]);
  const text = 'afterEach(() => close());\nfunction open() { afterAll(close); }\nbeforeAll(open);';
  expect(hooksOnLoad(parseSource('a.ts', text))).toEqual(['a.ts:1 afterEach', 'a.ts:3 beforeAll']);
});

function hooksOnLoad(source: Source): string[] {
  return source.tree.statements.flatMap((statement) => {
    if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return [];
    const name = statement.expression.expression.getText(source.tree);
    const isHook = /^(?:before|after)(?:Each|All)$/.test(name);
    return isHook ? [`${source.path}:${lineOf(source, statement)} ${name}`] : [];
  });
}
