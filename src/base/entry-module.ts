/**
 * Names the folder in which a test run has bundled the modules that threads start from, as a URL: a thread takes a second
 * or two to load the sources. A bundle ignores the variable.
 */
export const BUNDLE_VARIABLE = 'TEST_BUNDLE';

/**
 * The file that a thread or a process starts from. Sources stay where they are; a bundle has all such files in the
 * folder of this one.
 *
 * @param module `new URL('./thing-worker.ts', import.meta.url)`
 */
export function entryModule(module: URL): URL {
  const isBundled = import.meta.url.endsWith('.js');
  const folder = isBundled ? import.meta.url : process.env[BUNDLE_VARIABLE];
  if (folder === undefined || module.protocol !== 'file:') return module;
  const name = module.pathname.slice(module.pathname.lastIndexOf('/') + 1);
  return new URL(name.replace(/\.ts$/, '.js'), folder);
}
