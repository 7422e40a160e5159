#!/usr/bin/env node
// What `npx zonewright` runs. It is outside of dist/ because npm links a command once, when it is first called, and that
// may be before the first build.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

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
 * Node's default below /tmp: whoever can write to it decides what runs. Where there is no such folder, there is no cache.
 */
function keepCompiledCode() {
  if (process.env.NODE_COMPILE_CACHE !== undefined) return;
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  module.enableCompileCache?.(join(cache, 'zonewright'));
}
