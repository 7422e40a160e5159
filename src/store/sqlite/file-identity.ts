import { statSync } from 'node:fs';

/**
 * Tells a file from any other one that has, had or gets its path, as long as it is open somewhere: two processes that have
 * opened a path read the same file if the identities that each found then are equal.
 */
export function fileIdentity(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}-${ino}`;
}
