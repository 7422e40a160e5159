// The digest of all domains: the sum of their zone hashes at a position in the feed, by which a nameserver proves that its
// copy is equal. A batch knows only by how much it changes the digest, so the counters keep two sums:
//
//   digest_sum   what batches have added since `digest_from`
//   digest_base  the digest minus digest_sum; null until upkeep has read the hashes of all domains
//
// A batch of a process of the previous version changes neither, and leaves `digest_seq` behind `last_seq`: the next batch or
// upkeep then starts a new sum without a base.
import { EMPTY_SUM, HashSum } from '../../base/hash-sum.ts';
import { isServed } from '../../model/withholding.ts';
import { addZone, subtractZone, type HashedHead } from '../../model/zone-hash.ts';
import type { BatchWrites } from '../../writes/batch-writes.ts';
import type { HashedDomain } from '../../model/domain.ts';
import type { Statement } from './postgres-connection.ts';

export interface DirectoryDigest {
  readonly sum: string;
  readonly base: string | null;
  /** The position at which the sum was started. */
  readonly fromSeq: number;
}

/** Columns of `counters`. */
export const DIGEST_COLUMNS = 'digest_sum, digest_base, digest_from, digest_seq';
export type DigestRow = readonly [sum: string, base: string | null, fromSeq: number, seq: number];

/** @param lastSeq of the same row of counters */
export function toDigest([sum, base, fromSeq, seq]: DigestRow, lastSeq: number): DirectoryDigest {
  return seq === lastSeq ? { sum, base, fromSeq } : { sum: EMPTY_SUM, base: null, fromSeq: lastSeq };
}

/** Returns the digest itself; null if it is not known. */
export function valueOfDigest({ sum, base }: DirectoryDigest): string | null {
  return base === null ? null : HashSum.parse(base).addSum(HashSum.parse(sum)).toString();
}

/**
 * Returns the digest after a batch. A domain whose hash is not known counts for nothing; there is no base then: a new sum is
 * started if such a domain is restored, which a process of an earlier version has deleted.
 */
export function stepDigest(digest: DirectoryDigest, writes: BatchWrites): DirectoryDigest {
  const { counters, createdDomains } = writes;
  if (counters !== null && createdDomains.some(({ contentHash }) => contentHash === null)) {
    return { sum: EMPTY_SUM, base: null, fromSeq: counters.lastSeq };
  }
  const sum = HashSum.parse(digest.sum);
  for (const domain of writes.formerDomains) {
    if (domain.contentHash !== null) subtractZone(sum, headOf(domain), domain.contentHash);
  }
  for (const domain of [...createdDomains, ...writes.changedDomains]) {
    if (domain.contentHash !== null) addZone(sum, headOf(domain), domain.contentHash);
  }
  return { ...digest, sum: sum.toString() };
}

export function digestStatement({ sum, base, fromSeq }: DirectoryDigest, lastSeq: number): Statement {
  return { text: UPDATE_DIGEST, values: [sum, base, fromSeq, lastSeq] };
}

const UPDATE_DIGEST = `
  UPDATE counters SET digest_sum = $1, digest_base = $2, digest_from = $3, digest_seq = $4`;

function headOf(domain: HashedDomain): HashedHead {
  const { id: domainId, name, serial, soaPrimary, soaEmail } = domain;
  return { domainId, name, serial, soaPrimary, soaEmail, isWithheld: !isServed(domain) };
}
