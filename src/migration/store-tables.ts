// The tables that a move, backup or restore copies; the same for every engine. `batches` and the tables of nameserver
// reports are not copied: they are only valid in one database and are filled again in the next. Neither are `sessions`,
// `accesses` and `invitations`: an old backup would bring back what has been ended or used since. Counts of what accounts have
// (`account_usage`, `trail_usage`, `octets`, `domain_count`) are made again from the rows, by `FILL_USAGE` and `FILL_TRAIL_USAGE`, and hashes of zones by upkeep.

export interface StoreTable {
  readonly name: string;
  readonly columns: readonly StoreColumn[];
  /** A store of an earlier version, and its backup, has no such table; it then counts as empty. */
  readonly isLater: boolean;
  /** So many of the last columns a store of an earlier version, and its backup, lacks; they then count as null. */
  readonly laterColumns: number;
  /** Number of leading columns that form the primary key. Rows are read and compared in its order, text byte by byte. */
  readonly keyLength: number;
}

export interface StoreColumn {
  readonly name: string;
  readonly kind: 'integer' | 'text' | 'bytes';
}

export type Cell = number | string | Uint8Array | null;

/** Cells in the order of the table's columns. */
export type Row = readonly Cell[];

export const countersTable = table('counters', 1, {
  one: 'integer',
  last_seq: 'integer',
  last_domain_id: 'integer',
  account_count: 'integer',
  key_count: 'integer',
});

export const accountsTable = table(
  'accounts',
  1,
  {
    id: 'text',
    name: 'text',
    email: 'text',
    created_at: 'integer',
    domain_count: 'integer',
    key_count: 'integer',
    standing: 'text',
    due_at: 'integer',
  },
  2,
);

/** The last columns of domains, and of deleted ones. */
const later = {
  denial: 'text',
  renew_at: 'integer',
  revised_serial: 'integer',
  withdrawn_at: 'integer',
  awaits_ds_since: 'integer',
  presigned_until: 'integer',
  signing_work: 'text',
  withheld: 'text',
  withheld_seq: 'integer',
  claim: 'text',
} as const;

const LATER_COLUMNS = Object.keys(later).length;

export const domainsTable = table(
  'domains',
  1,
  {
    id: 'integer',
    account_id: 'text',
    name: 'text',
    created_at: 'integer',
    serial: 'integer',
    soa_primary: 'text',
    soa_email: 'text',
    record_count: 'integer',
    ...later,
  },
  LATER_COLUMNS,
);

export const recordsTable = table('records', 2, {
  domain_id: 'integer',
  id: 'text',
  owner: 'text',
  name: 'text',
  type: 'integer',
  data: 'text',
  priority: 'integer',
  ttl: 'integer',
  rdata: 'bytes',
});

export const changesTable = table('changes', 1, {
  seq: 'integer',
  at: 'integer',
  kind: 'text',
  domain_id: 'integer',
  domain: 'text',
  serial: 'integer',
  key_id: 'text',
  soa_primary: 'text',
  soa_email: 'text',
  record_id: 'text',
  owner: 'text',
  name: 'text',
  type: 'integer',
  data: 'text',
  priority: 'integer',
  ttl: 'integer',
  rdata: 'bytes',
  address: 'text',
  note: 'text',
  soa_before: 'text',
});

/** In the order in which they are written: referenced tables come first. */
export const storeTables: readonly StoreTable[] = [
  countersTable,
  accountsTable,
  table(
    'keys',
    1,
    {
      id: 'text',
      account_id: 'text',
      hash: 'text',
      scope: 'text',
      label: 'text',
      created_at: 'integer',
      limits: 'text',
      used_at: 'integer',
      user_id: 'text',
    },
    3,
  ),
  domainsTable,
  recordsTable,
  table('retired_serials', 1, { name: 'text', serial: 'integer', needed_until: 'integer' }),
  table(
    'deleted_domains',
    1,
    {
      domain_id: 'integer',
      account_id: 'text',
      name: 'text',
      created_at: 'integer',
      serial: 'integer',
      soa_primary: 'text',
      soa_email: 'text',
      record_count: 'integer',
      deleted_at: 'integer',
      ...later,
    },
    LATER_COLUMNS,
  ),
  table('idempotency', 2, {
    key_id: 'text',
    idempotency_key: 'text',
    request_hash: 'text',
    outcome: 'text',
    at: 'integer',
  }),
  changesTable,
  laterTable('change_authors', 1, {
    last_seq: 'integer',
    first_seq: 'integer',
    address: 'text',
    note: 'text',
  }),
  laterTable('account_limits', 1, { account_id: 'text', limits: 'text' }),
  laterTable('account_nameservers', 1, { account_id: 'text', names: 'text' }),
  laterTable(
    'zone_keys',
    2,
    {
      domain_id: 'integer',
      id: 'text',
      algorithm: 'integer',
      flags: 'integer',
      tag: 'integer',
      dnskey: 'bytes',
      sealed: 'bytes',
      secret_id: 'text',
      created_at: 'integer',
      uses: 'integer',
      origin: 'text',
      rollover: 'text',
    },
    3,
  ),
  laterTable('users', 1, {
    id: 'text',
    email: 'text',
    name: 'text',
    password_hash: 'text',
    created_at: 'integer',
    is_operator: 'integer',
    factors: 'text',
  }),
  laterTable('memberships', 2, {
    user_id: 'text',
    account_id: 'text',
    role: 'text',
    grants: 'text',
    created_at: 'integer',
  }),
  laterTable('identities', 2, {
    subject: 'text',
    issuer: 'text',
    user_id: 'text',
    created_at: 'integer',
  }),
  laterTable('trail', 1, {
    id: 'integer',
    account_id: 'text',
    at: 'integer',
    since: 'integer',
    action: 'text',
    actor: 'text',
    actor_name: 'text',
    address: 'text',
    object: 'text',
    detail: 'text',
    count: 'integer',
  }),
  laterTable('upkeep_time', 1, { one: 'integer', trusted_at: 'integer', written_at: 'integer' }),
];

/** Position of a column in the rows of a table. */
export function columnIndex({ name, columns }: StoreTable, column: string): number {
  const index = columns.findIndex((candidate) => candidate.name === column);
  if (index === -1) throw new Error(`${name} has no column ${column}`);
  return index;
}

function table(
  name: string,
  keyLength: number,
  columns: Readonly<Record<string, StoreColumn['kind']>>,
  laterColumns = 0,
): StoreTable {
  return {
    name,
    isLater: false,
    laterColumns,
    keyLength,
    columns: Object.entries(columns).map(([column, kind]) => ({ name: column, kind })),
  };
}

/** A table that older backups lack. Without rows it does not count in the hash, so the hashes of older backups stay valid. */
function laterTable(...args: Parameters<typeof table>): StoreTable {
  return { ...table(...args), isLater: true };
}
