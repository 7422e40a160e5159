import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/* Markdown files name only files, folders and headings that exist. */

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['src', 'test', 'docs', 'bench', 'bin', 'build', 'console'];
const paths = listPaths();
const documents = paths.filter((path) => path.endsWith('.md'));

/** The files at the top, and all files and folders of FOLDERS, relative to the repository. */
function listPaths(): readonly string[] {
  const inFolders = FOLDERS.flatMap((folder) => [folder, ...readFolder(folder)]);
  const onTop = readdirSync(REPOSITORY, { withFileTypes: true }).filter((entry) => entry.isFile());
  return [...onTop.map(({ name }) => name), ...inFolders];
}

function readFolder(folder: string): readonly string[] {
  const found = readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' });
  return found.map((path) => `${folder}/${path}`);
}

function readDocument(path: string): string {
  return readFileSync(join(REPOSITORY, path), 'utf8');
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

test.each(documents)('the relative links of %s lead to files and headings that exist', (path) => {
  const text = readDocument(path);
  const links = [...text.matchAll(/\]\((?<target>[^)\s]*)\)/g)].filter(
    ({ groups }) => !/^[a-z]+:/.test(groups?.['target'] ?? ''),
  );
  const broken = links.filter(({ groups }) => !linkExists(path, groups?.['target'] ?? ''));
  expect(broken.map(({ index, 0: link }) => `${path}:${lineAt(text, index)}: ${link}`)).toEqual([]);
});

function linkExists(from: string, link: string): boolean {
  const [file, heading] = link.split('#', 2) as [string, string | undefined];
  const target = file === '' ? from : normalize(join(dirname(from), file)).replace(/\/$/, '');
  return paths.includes(target) && (heading === undefined || headings(target).includes(heading));
}

/** The anchors that GitHub derives from the headings. */
function headings(path: string): readonly string[] {
  const text = readDocument(path).replaceAll(/^```[^]*?^```/gm, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Matches for example `src/cli/copy/`, `src/http/*-routes.ts` and `src/store/{sqlite,postgres}/migrations/`. */
const PATH = new RegExp(String.raw`(?<![\w./-])(?:${FOLDERS.join('|')})/[\w.*{},/-]*[\w*}/]`, 'g');

test.each(documents)('the paths that %s names exist', (path) => {
  const text = readDocument(path);
  const missing = [...text.matchAll(PATH)].filter(({ 0: name }) => !expandBraces(name).every(pathExists));
  expect(missing.map(({ index, 0: name }) => `${path}:${lineAt(text, index)}: ${name}`)).toEqual([]);
});

function pathExists(pattern: string): boolean {
  const [file, ...parts] = pattern.replace(/\/$/, '').split('*');
  if (parts.length === 0) return paths.includes(file);
  const expression = new RegExp(`^${[file, ...parts].map(escapePattern).join('[^/]*')}$`);
  return paths.some((path) => expression.test(path));
}

function expandBraces(pattern: string): readonly string[] {
  const match = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern);
  if (match === null) return [pattern];
  const [, before, choices, after] = match;
  return choices.split(',').flatMap((choice) => expandBraces(before + choice + after));
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
