/**
 * Keeps the hashes of wildcard names. Every NXDOMAIN answer with NSEC3 needs the hash of the wildcard at its closest
 * encloser, which is the apex for most names that do not exist. The hash depends on the name alone, so that it is good for
 * every version of every zone. Never allocates.
 */

import { MAX_NAME_OCTETS } from '../../dns/name.ts';
import type { NameScan } from '../../zone/name-scan.ts';
import { HASH_OCTETS } from './hash-label.ts';
import { NameHash } from './name-hash.ts';

/** A power of two. Wildcards share a place; the last one keeps it. 18 KB a thread. */
const PLACES = 64;

interface KeptHash {
  /** In lower case. */
  readonly name: Uint8Array;
  /** Octets of the name; 0 if there is none yet. */
  length: number;
  readonly hash: Uint8Array;
}

export class WildcardHashes {
  private readonly places: readonly KeptHash[] = Array.from({ length: PLACES }, () => {
    return { name: new Uint8Array(MAX_NAME_OCTETS), length: 0, hash: new Uint8Array(HASH_OCTETS) };
  });
  private readonly hash = new NameHash();

  /** The hash of a name, 20 octets; valid until the next call. */
  of(name: NameScan): Uint8Array {
    const place = this.places[name.hashes[0] & (PLACES - 1)];
    if (!isOf(place, name)) this.keep(place, name);
    return place.hash;
  }

  private keep(place: KeptHash, name: NameScan): void {
    this.hash.update(name, 0);
    place.length = name.length;
    for (let i = 0; i < name.length; i++) place.name[i] = name.bytes[i];
    for (let i = 0; i < HASH_OCTETS; i++) place.hash[i] = this.hash.octets[i];
  }
}

function isOf(place: KeptHash, name: NameScan): boolean {
  if (place.length !== name.length) return false;
  for (let i = 0; i < name.length; i++) if (place.name[i] !== name.bytes[i]) return false;
  return true;
}
