// Finds the hashes and the digest of domains that have none: those of a store of an earlier version, of a move or restore,
// and those that a process of the previous version has written to. Part of upkeep, in slices; a batch that writes to a domain
// at the same time wins.
import { HashSum } from '../../base/hash-sum.ts';
import type { ZoneName } from '../../model/domain.ts';
import type { OwnerKey } from '../../model/record.ts';
import { addRecord, addZone } from '../../model/zone-hash.ts';
import { isCustomersRecord } from '../customers-rows.ts';
import {
  DIGEST_COLUMNS,
  toDigest,
  valueOfDigest,
  type DigestRow,
  type DirectoryDigest,
} from './directory-digest.ts';
import type { PostgresConnection } from './postgres-connection.ts';

/** Domains that are hashed in one slice, and whose hashes are read at once. */
const DOMAINS_AT_ONCE = 1000;

/** Octets of records in one slice and in one message: some 20 ms. A larger domain is read in pages. */
const SLICE_OCTETS = 1024 * 1024;

/** Records in a page of a large domain; as they may be of 64 KiB, a page takes at most 13 MB. */
const PAGE_RECORDS = 200;

/** Runs a slice in a transaction; resolves with false if there is no more to do or other upkeep has to go first. */
type RunSlice = (slice: () => Promise<boolean>) => Promise<boolean>;

/**
 * Resolves when all hashes and the digest are known, or when the slices are ended. The octets of the domains that are hashed
 * are counted again, too: a process that knows no hashes may not count either.
 *
 * @returns true if all domains were found that such a process has written to
 */
export async function fillHashes(connection: PostgresConnection, runSlice: RunSlice): Promise<boolean> {
  await connection.query(RESTART_DIGEST);
  const { base } = await readDigest(connection);
  if (base !== null) return false;
  const hashing = new ZoneHashing(connection);
  while (await runSlice(() => hashing.hashSome()));
  if (hashing.isComplete) await findBase(connection);
  return hashing.isComplete;
}

async function readDigest(connection: PostgresConnection): Promise<DirectoryDigest> {
  const { rows } = await connection.query<[...DigestRow, lastSeq: number]>(READ_DIGEST);
  const [sum, base, fromSeq, seq, lastSeq] = rows[0];
  return toDigest([sum, base, fromSeq, seq], lastSeq);
}

const READ_DIGEST = `SELECT ${DIGEST_COLUMNS}, last_seq FROM counters`;

const RESTART_DIGEST = `
  UPDATE counters SET digest_sum = DEFAULT, digest_base = NULL, digest_from = last_seq, digest_seq = last_seq
  WHERE digest_seq <> last_seq`;

interface Unhashed {
  readonly id: number;
  readonly serial: number;
  readonly octets: number;
}

class ZoneHashing {
  /** All domains that had no hash have been read. */
  isComplete = false;
  private readonly connection: PostgresConnection;
  private afterId = 0;

  constructor(connection: PostgresConnection) {
    this.connection = connection;
  }

  /** Hashes some domains inside the transaction of the caller; returns false if none is left. */
  async hashSome(): Promise<boolean> {
    const zones = await this.nextZones();
    const last = zones.at(-1);
    if (last === undefined) {
      this.isComplete = true;
      return false;
    }
    const found = last.octets > SLICE_OCTETS ? [await this.sumOfLarge(last)] : await this.sumsOf(zones);
    // Batches hold this lock from reading a domain until they have written it.
    await this.connection.query('SELECT FROM counters FOR UPDATE');
    await this.connection.query(PUT_HASHES, [
      zones.map(({ id }) => id),
      zones.map(({ serial }) => serial),
      found.map(({ sum }) => sum.toString()),
      found.map(({ octets }) => octets),
    ]);
    this.afterId = last.id;
    return true;
  }

  /** One that is large, or as many as a slice holds. */
  private async nextZones(): Promise<readonly Unhashed[]> {
    const { rows } = await this.connection.query<[number, number, number]>(UNHASHED, [this.afterId]);
    const zones: Unhashed[] = [];
    let total = 0;
    for (const [id, serial, octets] of rows) {
      total += octets;
      if (total > SLICE_OCTETS && zones.length > 0) break;
      zones.push({ id, serial, octets });
    }
    return zones;
  }

  private async sumsOf(zones: readonly Unhashed[]): Promise<readonly ZoneSum[]> {
    const sums = new Map(zones.map(({ id }) => [id, newSum()]));
    const { rows } = await this.connection.query<RecordRow>(RECORDS, [[...sums.keys()]]);
    for (const row of rows) addRow(sums.get(row[0]), row);
    return [...sums.values()];
  }

  private async sumOfLarge({ id }: Unhashed): Promise<ZoneSum> {
    const sum = newSum();
    for (let after = '', isLast = false; !isLast;) {
      const { rows } = await this.connection.query<RecordRow>(RECORDS_PAGE, [id, after]);
      for (const row of rows) addRow(sum, row);
      isLast = rows.length < PAGE_RECORDS;
      after = rows.at(-1)?.[1] ?? after;
    }
    return sum;
  }
}

/** For domains whose octets are not counted yet. */
const USUAL_RECORD_OCTETS = 200;

/** The rows of signatures have two to three times the octets of small records, which no column counts. */
const SIGNED_RECORD_OCTETS = 600;

const UNHASHED = `
  SELECT id, serial, greatest(octets, record_count * ${USUAL_RECORD_OCTETS})
    + CASE WHEN denial IS NULL THEN 0 ELSE record_count * ${SIGNED_RECORD_OCTETS} END FROM domains
  WHERE id > $1 AND (content_hash IS NULL OR hashed_serial IS DISTINCT FROM serial)
  ORDER BY id LIMIT ${DOMAINS_AT_ONCE}`;

type RecordRow = [
  domainId: number,
  id: string,
  owner: OwnerKey,
  type: number,
  ttl: number,
  rdata: Uint8Array,
  octets: number,
];

/** With the octets of a record as limits count them (`recordOctets`): those of signatures do not count. */
const RECORD_VALUES = `domain_id, id, owner, type, ttl, rdata,
  CASE WHEN ${isCustomersRecord()} THEN 128 + 2 * octet_length(owner) + octet_length(data) + octet_length(rdata) ELSE 0 END`;
const RECORDS = `SELECT ${RECORD_VALUES} FROM records WHERE domain_id = ANY ($1::bigint[])`;
const RECORDS_PAGE = `
  SELECT ${RECORD_VALUES} FROM records WHERE domain_id = $1 AND id > $2
  ORDER BY id LIMIT ${PAGE_RECORDS}`;

/** The hash and the octets of the records of a domain. */
interface ZoneSum {
  readonly sum: HashSum;
  octets: number;
}

function newSum(): ZoneSum {
  return { sum: new HashSum(), octets: 0 };
}

function addRow(zone: ZoneSum | undefined, [, id, owner, type, ttl, rdata, octets]: RecordRow): void {
  if (zone === undefined) return;
  addRecord(zone.sum, { id, owner, type, ttl, rdata });
  zone.octets += octets;
}

/** A domain whose serial has been raised may have changed while its records were read. */
const PUT_HASHES = `
  UPDATE domains SET content_hash = found.content_hash, hashed_serial = found.serial, octets = found.octets
  FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS found (id, serial, content_hash, octets)
  WHERE domains.id = found.id AND domains.serial = found.serial`;

/** Reads all hashes at one moment, and stores by how much their sum differs from the sum of that moment. */
async function findBase(connection: PostgresConnection): Promise<void> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { sum, fromSeq } = await readDigest(connection);
  const digest = await sumOfAll(connection);
  await connection.query('COMMIT');
  if (digest === undefined) return;
  const base = digest.subtractSum(HashSum.parse(sum)).toString();
  await connection.query('BEGIN');
  const { rows } = await connection.query<[lastSeq: number, sum: string]>(PUT_BASE, [base, fromSeq]);
  for (const [lastSeq, now] of rows) {
    const values = [valueOfDigest({ sum: now, base, fromSeq }), lastSeq];
    await connection.query('UPDATE batches SET digest = $1 WHERE last_seq = $2 AND has_changes', values);
  }
  await connection.query('COMMIT');
}

/** Returns undefined if a hash is not known. */
async function sumOfAll(connection: PostgresConnection): Promise<HashSum | undefined> {
  const sum = new HashSum();
  for (let after = 0, isLast = false; !isLast;) {
    const { rows } = await connection.query<ZoneRow>(ZONES, [after]);
    for (const [
      domainId,
      name,
      serial,
      soaPrimary,
      soaEmail,
      contentHash,
      hashedSerial,
      isWithheld,
    ] of rows) {
      if (contentHash === null || hashedSerial !== serial) return undefined;
      addZone(sum, { domainId, name, serial, soaPrimary, soaEmail, isWithheld }, contentHash);
    }
    isLast = rows.length < DOMAINS_AT_ONCE;
    after = rows.at(-1)?.[0] ?? after;
  }
  return sum;
}

const ZONES = `
  SELECT id, name, serial, soa_primary, soa_email, content_hash, hashed_serial, withheld IS NOT NULL FROM domains
  WHERE id > $1 ORDER BY id LIMIT ${DOMAINS_AT_ONCE}`;
type ZoneRow = [
  id: number,
  name: ZoneName,
  serial: number,
  soaPrimary: string | null,
  soaEmail: string | null,
  contentHash: string | null,
  hashedSerial: number | null,
  isWithheld: boolean,
];

/** Not if the sum has been restarted, or lacks a batch of the previous version. */
const PUT_BASE = `
  UPDATE counters SET digest_base = $1
  WHERE digest_from = $2 AND digest_base IS NULL AND digest_seq = last_seq RETURNING last_seq, digest_sum`;
