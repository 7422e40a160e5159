// Builds before `npm start` when a source is newer than the build. Types are not checked: `npm run build` and `npm test`
// do that, and it takes longer than everything else.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'build', 'console', 'src'];
/** The build writes it last. */
const BUILD_MARK = join(root, 'dist', '.built');

if (newest(sources) > modifiedAt(BUILD_MARK)) {
  const startedAt = new Date();
  execFileSync('npm', ['run', '--silent', 'build:unchecked'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  // A source that changes while the build runs is newer than the build.
  utimesSync(BUILD_MARK, startedAt, startedAt);
}

function newest(paths) {
  let latest = 0;
  for (const path of paths) {
    latest = Math.max(latest, modifiedAt(join(root, path)));
    if (path.includes('.')) continue;
    for (const name of readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }))
      latest = Math.max(latest, modifiedAt(join(root, path, name)));
  }
  return latest;
}

function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
