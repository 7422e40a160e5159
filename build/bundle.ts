// Builds what runs: `dist/app` for the service and its commands, `dist/client` for `import 'zonewright/client'`, and
// `dist/console` for browsers.
//
// A process that loads 600 modules spends most of its start on finding and linking them, so that they are bundled,
// together with the libraries that are plain JavaScript (decision 0015). Nothing is minified: stack traces name the
// functions of the sources. Types are not checked.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildConsole } from './build-console.ts';
import { copyReferencePage } from './copy-reference-page.ts';
import { readPackageFile } from './package-file.ts';
import { formatLicenses } from './third-party-licenses.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Every module that a process or a thread starts from. All files of the bundle are in one folder, so that each finds the
 * others beside itself (see `src/base/start-worker.ts`).
 */
const entryPoints = [
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

const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  metafile: true,
  logLevel: 'warning',
} as const;

const { dependencies, optionalDependencies } = readPackageFile();

mkdirSync(`${root}dist`, { recursive: true });
// The console is built again only if it has to be.
for (const name of readdirSync(`${root}dist`))
  if (name !== 'console') rmSync(`${root}dist/${name}`, { recursive: true });
const { metafile } = await build({
  ...common,
  entryPoints,
  platform: 'node',
  splitting: true,
  outdir: 'dist/app',
  entryNames: '[name]',
  chunkNames: 'chunk-[hash]',
  // What npm installs beside the package: libraries with binaries.
  external: [...Object.keys({ ...dependencies, ...optionalDependencies }), 'pg-native'],
  // CommonJS libraries ask for Node's modules in this way.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});
await build({ ...common, entryPoints: ['src/client/zonewright-client.ts'], outdir: 'dist/client' });
copyReferencePage();
const bundled = [...Object.keys(metafile.inputs), ...(await buildConsole(root))];
writeFileSync(`${root}dist/THIRD-PARTY-LICENSES.txt`, formatLicenses(root, bundled));
// The last file: `build-if-older.js` goes by its date.
writeFileSync(`${root}dist/.built`, '');
