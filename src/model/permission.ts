// The permissions that requests need and that keys and roles have: an object and a verb. Never asks who the caller is.

/** Those that can be limited to some domains of the account, names of records and record types. */
export const recordPermissions = [
  'records:read',
  'records:create',
  'records:update',
  'records:delete',
] as const;

/** Those that can be limited to some domains of the account. */
export const domainPermissions = [
  /** Sees that the domain exists, its SOA fields, keys and propagation. */
  'domains:read',
  'domains:create',
  /** Changes SOA fields and nameservers. */
  'domains:update',
  'domains:delete',
  /** Switches signing, exchanges and imports keys. */
  'domains:sign',
  /** Reads all records of a domain at once, also former ones: exports, checks, history. */
  'zones:read',
  /** Replaces records of a domain as a whole: imports, reverts. */
  'zones:write',
] as const;

/** Those that are about the account as a whole, or about the service. */
export const accountPermissions = [
  'account:read',
  /** Downloads all that the account has. */
  'account:export',
  /** Deletes the account as a whole. */
  'account:delete',
  'keys:read',
  'keys:write',
  /** Sees the users of the account and its open invitations. */
  'users:read',
  /** Invites users, changes their roles and removes them. */
  'users:write',
  /** Sees who did what in the account. */
  'trail:read',
  'metrics:read',
  /** Sees all accounts, and manages them. */
  'accounts:read',
  'accounts:write',
] as const;

export type RecordPermission = (typeof recordPermissions)[number];
export type DomainPermission = (typeof domainPermissions)[number];
export type AccountPermission = (typeof accountPermissions)[number];
export type Permission = RecordPermission | DomainPermission | AccountPermission;

export const permissions: readonly Permission[] = [
  ...recordPermissions,
  ...domainPermissions,
  ...accountPermissions,
];

const ofRecords: ReadonlySet<string> = new Set(recordPermissions);
const ofDomains: ReadonlySet<string> = new Set(domainPermissions);
const all: ReadonlySet<string> = new Set(permissions);

export function isPermission(text: string): text is Permission {
  return all.has(text);
}

export function isRecordPermission(permission: Permission): permission is RecordPermission {
  return ofRecords.has(permission);
}

/** Whether it is about domains or their records, so that a list of domains can limit it. */
export function isOfDomains(permission: Permission): boolean {
  return ofRecords.has(permission) || ofDomains.has(permission);
}

/** Whether using it changes something. */
export function isWriting(permission: Permission): boolean {
  return !permission.endsWith(':read');
}
