#!/usr/bin/env node
// What `npx zonewright` runs. It lies outside of dist/, since npm links a command once and for all when it is first
// called, and that may be before the first build.
import { existsSync } from 'node:fs';

const main = new URL('../dist/app/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write('zonewright: this checkout is not built yet: run npm ci && npm run build\n');
  process.exitCode = 1;
}
