// Finds names that lie in the gaps of a known part of an NSEC3 chain. The record of a signed delegation shows in no other
// answer than the denial of such a name, and its gap may be narrow: names chosen without looking at their hashes miss it.

import { createHash } from 'node:crypto';
import { formatBase32Hex } from '../../../src/dns/base64.ts';
import { nameOf } from '../../../src/dnssec/zone-records.test-support.ts';

/** An NSEC3 record of a chain without salt and without more iterations: hashes in base32hex, in lower case. */
export interface ChainLink {
  readonly hash: string;
  readonly next: string;
}

/** Enough to meet a gap of a hundred-thousandth of all hashes nearly always; they take some seconds. */
const MAX_CANDIDATES = 1_000_000;

/** Returns up to `count` names below the apex whose hashes the links neither cover nor match. */
export function uncoveredNames(links: readonly ChainLink[], apex: string, count: number): string[] {
  const names: string[] = [];
  for (let i = 0; i < MAX_CANDIDATES && names.length < count; i++) {
    const name = `u${i}.${apex}`;
    const hash = hashName(name);
    if (!links.some((link) => holds(link, hash))) names.push(name);
  }
  return names;
}

/** True from the hash of the link to the one before the next; the last link leads back to the first. */
function holds({ hash, next }: ChainLink, sought: string): boolean {
  return hash < next ? hash <= sought && sought < next : hash <= sought || sought < next;
}

/** RFC 5155 section 5. The name is in lower case. */
function hashName(name: string): string {
  return formatBase32Hex(createHash('sha1').update(nameOf(name)).digest()).toLowerCase();
}
