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
import { bundleProgram, bundleSettings, programEntryPoints } from './bundle-program.ts';
import { copyReferencePage } from './copy-reference-page.ts';
import { formatLicenses } from './third-party-licenses.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

mkdirSync(`${root}dist`, { recursive: true });
// The console is built again only if it has to be.
for (const name of readdirSync(`${root}dist`))
  if (name !== 'console') rmSync(`${root}dist/${name}`, { recursive: true });
const metafile = await bundleProgram(root, programEntryPoints, 'dist/app');
await build({
  ...bundleSettings,
  absWorkingDir: root,
  entryPoints: ['src/client/zonewright-client.ts'],
  outdir: 'dist/client',
});
copyReferencePage();
const bundled = [...Object.keys(metafile.inputs), ...(await buildConsole(root))];
writeFileSync(`${root}dist/THIRD-PARTY-LICENSES.txt`, formatLicenses(root, bundled));
// The last file: `build-if-older.js` goes by its date.
writeFileSync(`${root}dist/.built`, '');
