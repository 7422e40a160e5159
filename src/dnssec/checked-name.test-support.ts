/** A signed zone as its checker sees it. */
import type { DomainName } from '../dns/name.ts';
import type { ZoneRecord } from './zone-records.test-support.ts';

/** A name that owns records, with its role. */
export interface CheckedName {
  /** In lower case. */
  readonly name: Uint8Array;
  readonly role: 'authoritative' | 'delegation' | 'occluded';
  /** By type; without RRSIG, NSEC and NSEC3. */
  readonly sets: ReadonlyMap<number, readonly ZoneRecord[]>;
}

export interface ChainView {
  /** In canonical order. */
  readonly names: readonly CheckedName[];
  /** All NSEC and NSEC3 records. */
  readonly chain: readonly ZoneRecord[];
  readonly apex: DomainName;
  readonly negativeTtl: number;
}
