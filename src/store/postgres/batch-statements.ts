import type { BatchWrites, RecordWrite } from '../../writes/batch-writes.ts';
import type { ManyRows } from '../../writes/prepared-write.ts';
import { formatNameserverSet } from '../claim-reads.ts';
import { storedText } from '../stored-data.ts';
import {
  ACCOUNT_COLUMNS,
  CHANGE_AUTHOR_COLUMNS,
  historyColumns,
  KEY_COLUMNS,
  OUTCOME_COLUMNS,
  RECORD_COLUMNS,
  soaBeforeText,
  dueAtColumn,
  limitsColumn,
  standingColumn,
} from '../table-rows.ts';
import { digestStatement, valueOfDigest, type DirectoryDigest } from './directory-digest.ts';
import { domainStatements } from './domain-statements.ts';
import { WAKE_CHANNEL } from './feed-reader.ts';
import { forRows, type Scalar } from './for-rows.ts';
import type { Statement } from './postgres-connection.ts';
import { peopleStatements } from './postgres-people.ts';
import { trailStatements } from './postgres-trail.ts';

/** The row that a batch leaves in `batches`: it proves the COMMIT, and gives followers a position. */
export interface BatchMark {
  /** A UUID. */
  readonly id: string;
  readonly lastSeq: number;
  readonly atMs: number;
  /** After the batch. */
  readonly digest: DirectoryDigest;
}

/**
 * Returns the statements that write the rows of a batch inside an open transaction: one for each table and kind of change,
 * with many rows.
 *
 * @param hasChanges true if the batch adds to the feed
 */
export function batchStatements(
  writes: BatchWrites,
  { id, lastSeq, atMs, digest }: BatchMark,
  hasChanges: boolean,
): Statement[] {
  return [
    ...accountStatements(writes),
    ...peopleStatements(writes.people),
    ...trailStatements(writes.trail),
    ...domainStatements(writes),
    ...recordStatements(writes),
    ...changeStatements(writes),
    ...authorStatements(writes),
    ...outcomeStatements(writes),
    ...removedAccountStatements(writes),
    ...counterStatements(writes),
    { text: INSERT_BATCH, values: [id, lastSeq, hasChanges, atMs, valueOfDigest(digest)] },
    ...(hasChanges ? [digestStatement(digest, lastSeq), { text: `NOTIFY ${WAKE_CHANNEL}` }] : []),
  ];
}

/** The statements for the rows of which a batch may have very many. */
export interface RowTexts {
  readonly deleteRecords: string;
  readonly updateRecords: string;
  readonly insertRecords: string;
  readonly insertChanges: string;
  readonly putOutcomes: string;
}

const INSERT_BATCH =
  'INSERT INTO batches (id, last_seq, has_changes, at, digest) VALUES ($1, $2, $3, $4, $5)';

function counterStatements({ counters }: BatchWrites): Statement[] {
  if (counters === null) return [];
  const { lastSeq, lastDomainId, accountCount, keyCount, domainCount } = counters;
  return [
    {
      text: UPDATE_COUNTERS,
      values: [lastSeq, lastDomainId, accountCount, keyCount, domainCount],
    },
  ];
}

const UPDATE_COUNTERS = `
  UPDATE counters SET last_seq = $1, last_domain_id = $2, account_count = $3, key_count = $4, domain_count = $5`;

function accountStatements(writes: BatchWrites): Statement[] {
  const goneKeys = [...writes.deletedKeyIds, ...writes.changedKeys.map(({ id }) => id)];
  return [
    ...forRows(insertAccounts, writes.createdAccounts, [
      ({ id }) => id,
      ({ name }) => name,
      ({ email }) => email,
      ({ createdAtSeconds }) => createdAtSeconds,
    ]),
    ...forRows(UPDATE_ACCOUNTS, writes.changedAccounts, [
      ({ id }) => id,
      ({ name }) => name,
      ({ email }) => email,
      standingColumn,
      dueAtColumn,
    ]),
    ...forRows('DELETE FROM keys WHERE id = ANY ($1)', goneKeys, [(id) => id]),
    ...forRows(
      insertKeys,
      [...writes.changedKeys, ...writes.createdKeys],
      [
        ({ id }) => id,
        ({ accountId }) => accountId,
        ({ hash }) => hash,
        ({ scope }) => scope,
        ({ label }) => label,
        ({ createdAtSeconds }) => createdAtSeconds,
        limitsColumn,
        ({ usedAtSeconds }) => usedAtSeconds ?? null,
        ({ userId }) => userId ?? null,
      ],
    ),
    ...usageStatements(writes),
  ];
}

/** Its nameservers stay: delegations to them may be left, which must prove nothing for another account. */
function removedAccountStatements({ deletedAccountIds }: BatchWrites): Statement[] {
  return [
    'DELETE FROM account_usage WHERE account_id = ANY ($1)',
    'DELETE FROM account_limits WHERE account_id = ANY ($1)',
    'DELETE FROM accounts WHERE id = ANY ($1)',
  ].flatMap((text) => forRows(text, deletedAccountIds, [(id) => id]));
}

function usageStatements({ usageSteps, changedLimits, changedNameservers }: BatchWrites): Statement[] {
  const counted = usageSteps.filter(({ step }) => step.domains !== 0 || step.keys !== 0);
  return [
    ...forRows(ADD_COUNTS, counted, [
      ({ accountId }) => accountId,
      ({ step }) => step.domains,
      ({ step }) => step.keys,
    ]),
    ...forRows(ADD_USAGE, usageSteps, [
      ({ accountId }) => accountId,
      ({ step }) => step.records,
      ({ step }) => step.octets,
      ({ step }) => step.historyOctets,
      ({ step }) => step.outcomeOctets,
    ]),
    ...forRows(PUT_NAMESERVERS, changedNameservers, [
      ({ accountId }) => accountId,
      ({ names }) => formatNameserverSet(names),
    ]),
    ...forRows(PUT_LIMITS, changedLimits, [
      ({ accountId }) => accountId,
      ({ overrides }) => JSON.stringify(overrides),
    ]),
  ];
}

const insertAccounts = `
  INSERT INTO accounts (${ACCOUNT_COLUMNS}, domain_count, key_count)
  SELECT *, NULL, 0, 0 FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])`;
const UPDATE_ACCOUNTS = `
  UPDATE accounts SET name = new.name, email = new.email, standing = new.standing, due_at = new.due_at
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[]) AS new (id, name, email, standing, due_at)
  WHERE accounts.id = new.id`;
const insertKeys = `
  INSERT INTO keys (${KEY_COLUMNS})
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[],
    $7::text[], $8::bigint[], $9::text[])`;
const ADD_COUNTS = `
  UPDATE accounts SET domain_count = domain_count + step.domains, key_count = key_count + step.keys
  FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS step (id, domains, keys) WHERE accounts.id = step.id`;

const ADD_USAGE = `
  INSERT INTO account_usage AS usage (account_id, record_count, octets, history_octets, outcome_octets)
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
  ON CONFLICT (account_id) DO UPDATE SET record_count = usage.record_count + excluded.record_count,
    octets = usage.octets + excluded.octets, history_octets = usage.history_octets + excluded.history_octets,
    outcome_octets = usage.outcome_octets + excluded.outcome_octets`;
const PUT_NAMESERVERS = `
  INSERT INTO account_nameservers (account_id, names) SELECT * FROM unnest($1::text[], $2::text[])
  ON CONFLICT (account_id) DO UPDATE SET names = excluded.names`;
const PUT_LIMITS = `
  INSERT INTO account_limits (account_id, limits) SELECT * FROM unnest($1::text[], $2::text[])
  ON CONFLICT (account_id) DO UPDATE SET limits = excluded.limits`;

export function recordStatements(writes: ManyRows, texts = rowTexts): Statement[] {
  return [
    ...forRows(texts.deleteRecords, writes.deletedRecords, [
      ({ domainId }) => domainId,
      ({ record }) => record.id,
    ]),
    ...forRows(texts.updateRecords, writes.changedRecords, recordValues),
    ...forRows(texts.insertRecords, writes.createdRecords, recordValues),
  ];
}

const recordValues: readonly ((write: RecordWrite) => Scalar)[] = [
  ({ domainId }) => domainId,
  ({ record }) => record.id,
  ({ record }) => record.owner,
  ({ record }) => record.name,
  ({ record }) => record.type,
  ({ record }) => storedText(record.data),
  ({ record }) => record.priority,
  ({ record }) => record.ttl,
  ({ record }) => record.rdata,
];

export const RECORD_ARRAYS = `unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::bigint[],
    $8::bigint[], $9::bytea[])`;
const DELETE_RECORDS = `
  DELETE FROM records USING unnest($1::bigint[], $2::text[]) AS old (domain_id, id)
  WHERE records.domain_id = old.domain_id AND records.id = old.id`;
const updateRecords = `
  UPDATE records SET owner = new.owner, name = new.name, type = new.type, data = new.data, priority = new.priority,
    ttl = new.ttl, rdata = new.rdata
  FROM ${RECORD_ARRAYS} AS new (domain_id, id, owner, name, type, data, priority, ttl, rdata)
  WHERE records.domain_id = new.domain_id AND records.id = new.id`;
const insertRecords = `INSERT INTO records (domain_id, ${RECORD_COLUMNS}) SELECT * FROM ${RECORD_ARRAYS}`;

export function changeStatements({ changes }: Pick<ManyRows, 'changes'>, texts = rowTexts): Statement[] {
  return forRows(texts.insertChanges, changes, [
    ({ seq }) => seq,
    ({ atMs }) => atMs,
    ({ kind }) => kind,
    ({ domainId }) => domainId,
    ({ domain }) => domain,
    ({ serial }) => serial,
    ({ keyId }) => keyId,
    ({ head }) => head?.soaPrimary ?? null,
    ({ head }) => head?.soaEmail ?? null,
    ({ record }) => record?.id ?? null,
    ({ record }) => record?.owner ?? null,
    ({ record }) => record?.name ?? null,
    ({ record }) => record?.type ?? null,
    ({ record }) => (record === null ? null : storedText(record.data)),
    ({ record }) => record?.priority ?? null,
    ({ record }) => record?.ttl ?? null,
    ({ record }) => record?.rdata ?? null,
    ({ address }) => address,
    ({ note }) => note,
    soaBeforeText,
    ({ accountId }) => accountId,
    ({ octets }) => octets,
  ]);
}

const insertChanges = `
  INSERT INTO changes (${historyColumns}, account_id, octets)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::text[],
    $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::integer[], $14::text[], $15::bigint[],
    $16::bigint[], $17::bytea[], $18::text[], $19::text[], $20::text[], $21::text[], $22::bigint[])`;

function authorStatements({ changeAuthors }: BatchWrites): Statement[] {
  return forRows(insertAuthors, changeAuthors, [
    ({ lastSeq }) => lastSeq,
    ({ firstSeq }) => firstSeq,
    ({ address }) => address,
    ({ note }) => note,
  ]);
}

const insertAuthors = `
  INSERT INTO change_authors (${CHANGE_AUTHOR_COLUMNS})
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[])`;

/** Replaces an expired outcome that upkeep has not removed yet. */
export function outcomeStatements(
  { keptOutcomes }: Pick<ManyRows, 'keptOutcomes'>,
  texts = rowTexts,
): Statement[] {
  return forRows(texts.putOutcomes, keptOutcomes, [
    ({ keyId }) => keyId,
    ({ key }) => key,
    ({ hash }) => hash,
    ({ outcome }) => outcome,
    ({ atMs }) => atMs,
    ({ accountId }) => accountId,
    ({ octets }) => octets,
  ]);
}

const putOutcomes = `
  INSERT INTO idempotency (${OUTCOME_COLUMNS})
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::bigint[])
  ON CONFLICT (key_id, idempotency_key) DO UPDATE SET request_hash = excluded.request_hash,
    outcome = excluded.outcome, at = excluded.at, account_id = excluded.account_id, octets = excluded.octets`;

/** The rows go to the tables themselves. */
export const rowTexts: RowTexts = {
  deleteRecords: DELETE_RECORDS,
  updateRecords,
  insertRecords,
  insertChanges,
  putOutcomes,
};
