import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';
import { bundleProgram, programEntryPoints } from '../../build/bundle-program.ts';
import { BUNDLE_VARIABLE } from '../../src/base/entry-module.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Inside the checkout, so that the bundle finds the libraries that stay outside. */
const PARENT = `${root}node_modules/.cache/zonewright`;

const FIXTURES = 'test/harness/nameserver';

/**
 * Bundles the modules that threads start from, and names the folder to `entryModule`: most tests of the store start
 * several threads. Watched tests use the sources, which change.
 */
export default async function setUp({ vitest }: TestProject): Promise<(() => void) | undefined> {
  if (vitest.config.watch) return undefined;
  const fixtures = readdirSync(root + FIXTURES)
    .filter((name) => /-(?:answerer|reader)\.ts$/.test(name))
    .map((name) => `${FIXTURES}/${name}`);
  mkdirSync(PARENT, { recursive: true });
  const folder = mkdtempSync(`${PARENT}/threads-`);
  await bundleProgram(root, [...programEntryPoints, ...fixtures], folder);
  process.env[BUNDLE_VARIABLE] = pathToFileURL(`${folder}/`).href;
  return () => rmSync(folder, { recursive: true });
}
