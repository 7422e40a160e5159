import { build, type Metafile } from 'esbuild';
import { readPackageFile } from './package-file.ts';

/** Every module that a process or a thread starts from (see `src/base/entry-module.ts`). */
export const programEntryPoints: readonly string[] = [
  'src/app/main.ts',
  'src/app/service-child.ts',
  'src/nameserver/query/query-pipeline.ts',
  'src/nameserver/threads/nameserver-worker.ts',
  'src/store/postgres/large-writer-worker.ts',
  'src/store/sqlite/log-mover-worker.ts',
  'src/store/sqlite/sqlite-preparer-worker.ts',
  'src/store/sqlite/sqlite-reader-worker.ts',
  'src/store/sqlite/sqlite-writer-worker.ts',
  'src/zone-copy/follower-worker.ts',
];

/** Settings of each bundle. */
export const bundleSettings = {
  bundle: true,
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
} as const;

/**
 * Bundles modules for Node, together with the libraries that are plain JavaScript. All files of the bundle are in one
 * folder, so that each finds the others beside itself.
 *
 * @param entryPoints relative to `root`, without two of the same name
 * @param folder inside the checkout, which has the libraries that stay outside
 */
export async function bundleProgram(
  root: string,
  entryPoints: readonly string[],
  folder: string,
): Promise<Metafile> {
  const { dependencies, optionalDependencies } = readPackageFile();
  const { metafile } = await build({
    ...bundleSettings,
    absWorkingDir: root,
    entryPoints: [...entryPoints],
    metafile: true,
    platform: 'node',
    splitting: true,
    outdir: folder,
    entryNames: '[name]',
    chunkNames: 'chunk-[hash]',
    // What npm installs beside the package: libraries with binaries.
    external: [...Object.keys({ ...dependencies, ...optionalDependencies }), 'pg-native'],
    // CommonJS libraries ask for Node's modules in this way.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return metafile;
}
