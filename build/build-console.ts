// Builds the console, `console/` ─▶ `dist/console`, with each file compressed beside it. Skipped if nothing is newer than the last
// build, because it takes longer than the rest.
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Rolldown } from 'vite';

/** All that the bundle can contain. */
const sources = [
  'console',
  'src/client',
  'src/contract',
  'src/dns',
  'src/base',
  'src/model',
  'build/build-console.ts',
  'package-lock.json',
];

/** Written last: the bundled files of packages, one a line, for the list of licenses. */
const INPUTS_FILE = '.inputs';

/** @returns paths below `root` of the files in the bundle that belong to packages */
export async function buildConsole(root: string): Promise<readonly string[]> {
  const mark = join(root, 'dist/console', INPUTS_FILE);
  const builtAt = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (newestOf(root, sources) < builtAt) return readFileSync(mark, 'utf8').split('\n');
  const startedAt = new Date();
  // Loading it takes longer than a build that is skipped.
  const { build } = await import('vite');
  const output = await build({ configFile: join(root, 'console/vite.config.ts'), logLevel: 'warn' });
  const inputs = packageFiles(root, [output].flat() as Rolldown.RolldownOutput[]);
  compressFiles(join(root, 'dist/console'));
  writeFileSync(mark, inputs.join('\n'));
  // A source that changes while the build runs is newer than the build.
  utimesSync(mark, startedAt, startedAt);
  return inputs;
}

function packageFiles(root: string, outputs: readonly Rolldown.RolldownOutput[]): string[] {
  const chunks = outputs.flatMap(({ output }) => output.filter((file) => file.type === 'chunk'));
  const files = chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .map((id) => relative(root, id.replace(/^\0/, '')));
  return [...new Set(files)].filter((path) => path.includes('node_modules/')).sort();
}

function compressFiles(folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const path of files
    .filter((name) => /\.(?:js|css|html|svg)$/.test(name))
    .map((name) => join(folder, name))) {
    const content = readFileSync(path);
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
  }
}

function newestOf(root: string, paths: readonly string[]): number {
  const dates = paths.flatMap((path) => {
    const here = statSync(join(root, path));
    if (!here.isDirectory()) return [here.mtimeMs];
    const names = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' });
    // No bundle has tests.
    return names
      .filter((name) => !/\.test(?:-support)?\.tsx?$/.test(name))
      .map((name) => statSync(join(root, path, name)).mtimeMs);
  });
  return Math.max(...dates);
}
