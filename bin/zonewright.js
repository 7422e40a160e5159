#!/usr/bin/env node
// What `npx zonewright` runs. It is outside of dist/ because npm links a command once, when it is first called, and that
// may be before the first build.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

const main = new URL('../dist/app/main.js', import.meta.url);
if (process.argv.length === 3 && process.argv[2] === '--version') printVersion();
else if (existsSync(main)) {
  keepCompiledCode();
  await import(main.href);
} else {
  process.stderr.write('zonewright: this checkout is not built yet: run npm ci && npm run build\n');
  process.exitCode = 1;
}

/** Without loading the commands. */
function printVersion() {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  process.stdout.write(`${JSON.parse(text).version}\n`);
}

/**
 * From Node 22.8 on, later starts use the code that earlier ones compiled. The cache is in a folder of this user, not in
 * Node's default below /tmp, because anyone who can write to it decides what runs. Without such a folder there is no
 * cache.
 */
function keepCompiledCode() {
  if (module.enableCompileCache === undefined || process.env.NODE_COMPILE_CACHE !== undefined) return;
  const cache = findCacheFolder();
  if (cache !== undefined) module.enableCompileCache(join(cache, 'zonewright'));
}

/** Relative paths are ignored, as the XDG Base Directory Specification requires: they depend on the working directory. */
function findCacheFolder() {
  const folders = [process.env.XDG_CACHE_HOME ?? '', join(findHome(), '.cache')];
  return folders.find((folder) => isAbsolute(folder));
}

/** Returns an empty text if HOME is unset and the user id has no entry in the user database. */
function findHome() {
  try {
    return homedir();
  } catch {
    return '';
  }
}
