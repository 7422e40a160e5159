import { isCustomersRecord } from './customers-rows.ts';

/**
 * Counts what each account has, from the rows themselves, for stores that did not count it yet: after the migration that
 * adds the counts, and after a move or restore. One pass over all records. The same SQL for both engines. Migrations use
 * it, so it must count alike for the stores that they find, which have no signatures. History and outcomes that were written before are not counted; they expire with their time.
 */
export const FILL_USAGE = `
  UPDATE domains SET octets = coalesce((
    SELECT sum(128 + 2 * octet_length(owner) + octet_length(data) + octet_length(rdata))
    FROM records WHERE records.domain_id = domains.id AND ${isCustomersRecord()}), 0);
  UPDATE deleted_domains SET octets = coalesce((
    SELECT sum(128 + 2 * octet_length(owner) + octet_length(data) + octet_length(rdata))
    FROM records WHERE records.domain_id = deleted_domains.domain_id AND ${isCustomersRecord()}), 0) WHERE deleted_at IS NOT NULL;
  INSERT INTO account_usage (account_id, record_count, octets, history_octets, outcome_octets)
    SELECT id,
      coalesce((SELECT sum(record_count) FROM domains WHERE account_id = accounts.id), 0),
      coalesce((SELECT sum(octets) FROM domains WHERE account_id = accounts.id), 0),
      coalesce((SELECT sum(octets) FROM deleted_domains
        WHERE account_id = accounts.id AND deleted_at IS NOT NULL), 0),
      0
    FROM accounts;
  UPDATE counters SET domain_count = (SELECT count(*) FROM domains);
`;
