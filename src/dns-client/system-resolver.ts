import { getServers } from 'node:dns/promises';

/** The first resolver that the system is configured with, as `parseServerAddress` reads it. */
export function findSystemResolver(): string | undefined {
  return getServers().at(0);
}
