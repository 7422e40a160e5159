import { EMPTY_SUM } from '../base/hash-sum.ts';

/** Incremented with every change of the tables. A copy of an earlier version is brought up to date by `copyUpgrades`. */
export const COPY_VERSION = 4;

const AWAITED_ZONES = `
  -- Zones that are served as they were, while their content is fetched from the database.
  CREATE TABLE awaited_zones (
    name        TEXT PRIMARY KEY,
    source_id   INTEGER NOT NULL, -- the domain in the database; the one of that name in domains may be another, or none
    seq         INTEGER NOT NULL, -- the content belongs to this place of the feed, or to a later one
    fetched_id  INTEGER -- under which the records are written; null: none are
  ) STRICT;
`;

const WITHHELD_INDEX = '  CREATE INDEX domains_withheld ON domains (name) WHERE withheld IS NOT NULL;';

/**
 * The tables of a zone copy. `domains` and `records` have the columns that `SqliteZones` reads.
 *
 * Domain ids are assigned by the copy, and a domain gets a new id whenever its whole content is replaced: the new content is
 * written unseen under the new id, and readers switch to it with one row in `domains`. A database that reuses ids after
 * losing its last writes in a failover therefore does no harm.
 */
export const COPY_TABLES = `
  CREATE TABLE copy (
    one    INTEGER PRIMARY KEY CHECK (one = 1),
    id     TEXT NOT NULL, -- of the nameserver process that keeps it
    seq    INTEGER,       -- the position in the feed; null while all is being copied
    batch  TEXT,
    generation TEXT, -- random, new whenever a process opens the copy; see copy-seal.ts
    digest TEXT NOT NULL DEFAULT '${EMPTY_SUM}' -- the sum of all zone hashes
  ) STRICT;

  CREATE TABLE domains (
    id            INTEGER PRIMARY KEY,
    name          TEXT NOT NULL UNIQUE,
    source_id     INTEGER NOT NULL, -- its id in the database
    serial        INTEGER NOT NULL,
    soa_primary   TEXT,
    soa_email     TEXT,
    record_count  INTEGER NOT NULL,
    content_hash  TEXT, -- the sum of the hashes of its records; null: copied by an earlier version
    zone_hash     TEXT, -- the hash of the columns before, with the id in the database
    account_id    TEXT NOT NULL DEFAULT '', -- whose zone it is, for the shares of zone memory; empty: not known
    withheld      INTEGER -- 1: it is not served; otherwise null
  ) STRICT;
${WITHHELD_INDEX}

  CREATE TABLE records (
    domain_id  INTEGER NOT NULL,
    id         TEXT NOT NULL,
    owner      TEXT NOT NULL,
    type       INTEGER NOT NULL,
    ttl        INTEGER NOT NULL,
    rdata      BLOB NOT NULL,
    PRIMARY KEY (domain_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX records_by_owner ON records (domain_id, owner);

  -- Ids whose records nobody reads: deleted, replaced, or not yet copied whole. Purged in slices.
  CREATE TABLE deleted_domains (
    domain_id  INTEGER PRIMARY KEY
  ) STRICT;
${AWAITED_ZONES}`;

/** Zones without a hash are served, and copied again when the database is there: therefore the position goes. */
const ZONE_HASHES = `
  ALTER TABLE copy ADD COLUMN generation TEXT;
  ALTER TABLE copy ADD COLUMN digest TEXT NOT NULL DEFAULT '${EMPTY_SUM}';
  ALTER TABLE domains ADD COLUMN content_hash TEXT;
  ALTER TABLE domains ADD COLUMN zone_hash TEXT;
  ALTER TABLE domains ADD COLUMN account_id TEXT NOT NULL DEFAULT '';
  UPDATE copy SET seq = NULL, batch = NULL;
`;

const WITHHELD = `
  ALTER TABLE domains ADD COLUMN withheld INTEGER;
${WITHHELD_INDEX}`;

/** By the version that they start from; each leads to the next one. */
export const copyUpgrades: ReadonlyMap<number, string> = new Map([
  [1, ZONE_HASHES],
  [2, AWAITED_ZONES],
  [3, WITHHELD],
]);
