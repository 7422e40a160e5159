import { readFileSync } from 'node:fs';

/** Reads the version from package.json, which is two folders above both the source and the built code. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
