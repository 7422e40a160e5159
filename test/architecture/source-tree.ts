import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export interface Source {
  /** Relative to the root of the tree, with `/`. */
  readonly path: string;
  /** First part of the path. */
  readonly folder: string;
  readonly name: string;
  /** A test or a file that only tests import; may import anything. */
  readonly isTest: boolean;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const TEST_FILE = /\.test(-support)?\.tsx?$/;

/** Parses all TypeScript files under a folder of the repository, with markup (`.tsx`) or without. */
export function readSources(root: string): Source[] {
  const folder = join(REPOSITORY, root);
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  const files = paths.filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts')).sort();
  return files.map((path) => parseSource(path, readFileSync(join(folder, path), 'utf8')));
}

export function parseSource(path: string, text: string): Source {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return { path, folder, name, isTest: TEST_FILE.test(name), text, tree };
}

export function lineOf({ tree }: Source, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

/** Calls `visit` for every node, parents first. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}
