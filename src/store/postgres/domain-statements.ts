// The rows of domains that a batch creates, changes, deletes and restores, and the keys of signed ones.
import type { Domain, HashedDomain } from '../../model/domain.ts';
import { formatClaim } from '../../model/claim.ts';
import { formatReasons } from '../../model/withholding.ts';
import type { BatchWrites } from '../../writes/batch-writes.ts';
import { rolloverColumn, ZONE_KEY_COLUMNS } from '../signing-reads.ts';
import {
  DELETED_DOMAIN_COLUMNS,
  HASHED_DOMAIN_COLUMNS,
  revisedSerialColumn,
  signingWorkColumn,
} from '../table-rows.ts';
import { forRows, type Scalar } from './for-rows.ts';
import type { Statement } from './postgres-connection.ts';

export function domainStatements(writes: BatchWrites): Statement[] {
  return [
    ...forRows(REMOVE_DELETED, writes.restoredDomainIds, [(id) => id]),
    ...forRows('DELETE FROM domains WHERE id = ANY ($1)', writes.deletedDomains, [({ id }) => id]),
    ...forRows(noteDeleted, writes.deletedDomains, [
      ...domainValues,
      ({ contentHash }) => contentHash,
      ({ deletedAtMs }) => deletedAtMs,
    ]),
    ...forRows(RETIRE_SERIALS, writes.retiredSerials, [
      ({ name }) => name,
      ({ serial }) => serial,
      ({ neededUntilSeconds }) => neededUntilSeconds,
    ]),
    ...forRows(insertDomains, writes.createdDomains, hashedDomainValues),
    ...forRows(UPDATE_DOMAINS, writes.changedDomains, [
      ({ id }) => id,
      ({ serial }) => serial,
      ({ soaPrimary }) => soaPrimary,
      ({ soaEmail }) => soaEmail,
      ({ recordCount }) => recordCount,
      ({ octets }) => octets,
      ({ contentHash }) => contentHash,
      ...laterValues,
    ]),
    ...forRows(DELETE_ZONE_KEYS, writes.deletedZoneKeys, [({ domainId }) => domainId, ({ id }) => id]),
    ...forRows(insertZoneKeys, writes.createdZoneKeys, [
      ({ domainId }) => domainId,
      ({ key }) => key.id,
      ({ key }) => key.algorithm,
      ({ key }) => key.flags,
      ({ key }) => key.tag,
      ({ key }) => key.dnskey,
      ({ key }) => key.sealed,
      ({ key }) => key.secretId,
      ({ key }) => key.createdAtSeconds,
      ({ key }) => key.uses,
      ({ key }) => key.origin,
      ({ key }) => rolloverColumn(key),
    ]),
  ];
}

/** How it is signed, and whether it is served. */
const laterValues: readonly ((domain: Domain) => Scalar)[] = [
  ({ denial }) => denial,
  ({ renewAtSeconds }) => renewAtSeconds,
  ({ withdrawnAtSeconds }) => withdrawnAtSeconds,
  ({ awaitsDsSinceSeconds }) => awaitsDsSinceSeconds,
  revisedSerialColumn,
  ({ presignedUntilSeconds }) => presignedUntilSeconds,
  signingWorkColumn,
  ({ withheld }) => formatReasons(withheld),
  ({ withheldSeq }) => withheldSeq,
  ({ claim }) => formatClaim(claim),
];

const domainValues: readonly ((domain: Domain) => Scalar)[] = [
  ({ id }) => id,
  ({ accountId }) => accountId,
  ({ name }) => name,
  ({ createdAtSeconds }) => createdAtSeconds,
  ({ serial }) => serial,
  ({ soaPrimary }) => soaPrimary,
  ({ soaEmail }) => soaEmail,
  ({ recordCount }) => recordCount,
  ({ octets }) => octets,
  ...laterValues,
];

const hashedDomainValues: readonly ((domain: HashedDomain) => Scalar)[] = [
  ...domainValues,
  ({ contentHash }) => contentHash,
  ({ serial }) => serial,
];

const DOMAIN_ARRAYS = `unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[],
    $7::text[], $8::bigint[], $9::bigint[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[],
    $14::bigint[], $15::bigint[], $16::text[], $17::text[], $18::bigint[], $19::text[]`;
const noteDeleted = `INSERT INTO deleted_domains (${DELETED_DOMAIN_COLUMNS}) SELECT * FROM ${DOMAIN_ARRAYS}, $20::text[], $21::bigint[])`;
const REMOVE_DELETED = 'DELETE FROM deleted_domains WHERE domain_id = ANY ($1)';
const RETIRE_SERIALS = `
  INSERT INTO retired_serials (name, serial, needed_until)
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
  ON CONFLICT (name) DO UPDATE SET serial = excluded.serial, needed_until = excluded.needed_until`;
const insertDomains = `
  INSERT INTO domains (${HASHED_DOMAIN_COLUMNS}) SELECT * FROM ${DOMAIN_ARRAYS}, $20::text[], $21::bigint[])`;
const UPDATE_DOMAINS = `
  UPDATE domains SET serial = new.serial, soa_primary = new.soa_primary, soa_email = new.soa_email,
    record_count = new.record_count, octets = new.octets, content_hash = new.content_hash, hashed_serial = new.serial,
    denial = new.denial, renew_at = new.renew_at, withdrawn_at = new.withdrawn_at,
    awaits_ds_since = new.awaits_ds_since, revised_serial = new.revised_serial, presigned_until = new.presigned_until,
    signing_work = new.signing_work, withheld = new.withheld, withheld_seq = new.withheld_seq,
    claim = new.claim
  FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::text[],
      $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::text[], $15::text[], $16::bigint[], $17::text[])
    AS new (id, serial, soa_primary, soa_email, record_count, octets, content_hash, denial, renew_at, withdrawn_at,
      awaits_ds_since, revised_serial, presigned_until, signing_work, withheld, withheld_seq, claim)
  WHERE domains.id = new.id`;

const DELETE_ZONE_KEYS = `
  DELETE FROM zone_keys USING unnest($1::bigint[], $2::text[]) AS old (domain_id, id)
  WHERE zone_keys.domain_id = old.domain_id AND zone_keys.id = old.id`;
const insertZoneKeys = `
  INSERT INTO zone_keys (domain_id, ${ZONE_KEY_COLUMNS})
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::integer[], $4::integer[], $5::integer[], $6::bytea[], $7::bytea[],
    $8::text[], $9::bigint[], $10::integer[], $11::text[], $12::text[])`;
