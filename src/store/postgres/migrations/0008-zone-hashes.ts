import { EMPTY_SUM } from '../../../base/hash-sum.ts';

/**
 * The hash of each domain's records, and the digest of all domains (see `directory-digest.ts`). A process of the previous
 * version raises the serial of a domain but not `hashed_serial`, and `last_seq` but not `digest_seq`: so a hash or digest
 * that it left behind is known to be out of date.
 */
export const ZONE_HASHES = `
  ALTER TABLE domains ADD COLUMN content_hash TEXT COLLATE "C";
  ALTER TABLE domains ADD COLUMN hashed_serial BIGINT;

  ALTER TABLE counters ADD COLUMN digest_sum TEXT COLLATE "C" NOT NULL DEFAULT '${EMPTY_SUM}';
  ALTER TABLE counters ADD COLUMN digest_base TEXT COLLATE "C";
  ALTER TABLE counters ADD COLUMN digest_from BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE counters ADD COLUMN digest_seq BIGINT NOT NULL DEFAULT 0;
  UPDATE counters SET digest_base = '${EMPTY_SUM}' WHERE last_seq = 0;
  ALTER TABLE batches ADD COLUMN digest TEXT COLLATE "C";

  ALTER TABLE nameservers ADD COLUMN digest TEXT COLLATE "C";
  ALTER TABLE nameservers ADD COLUMN doubt TEXT COLLATE "C";
  ALTER TABLE nameservers ADD COLUMN doubted BIGINT[];
`;
