// The rights of keys and roles, and the only functions that decide from them. Never knows requests, routes or rows.
import type { ZoneName } from './domain.ts';
import { coversPattern, matchesName, type NamePattern } from './name-pattern.ts';
import { isOfDomains, isRecordPermission, type Permission, type RecordPermission } from './permission.ts';
import type { OwnerKey } from './record.ts';

/** Permissions with the same limits. Each limit narrows the permissions that it is about. */
export interface Grant {
  readonly may: readonly Permission[];
  /** Null: all domains of the account. */
  readonly domains: readonly ZoneName[] | null;
  /** Names of records; null: all. */
  readonly names: readonly NamePattern[] | null;
  /** RR type numbers of records; null: all. */
  readonly types: readonly number[] | null;
}

/** A caller may do everything that one of the grants allows. */
export type Rights = readonly Grant[];

/** The limits of a grant on records. */
export type RecordLimits = Pick<Grant, 'names' | 'types'>;

/** The part of a record that decides about rights. */
export interface RecordPlace {
  readonly owner: OwnerKey;
  readonly type: number;
}

/** Permissions without limits. */
export function unlimited(may: readonly Permission[]): Grant {
  return { may, domains: null, names: null, types: null };
}

/** Whether the permission is there at all, for some domain or record. */
export function hasSome(rights: Rights, permission: Permission): boolean {
  return rights.some(({ may }) => may.includes(permission));
}

/** Whether the permission is there for all domains of the account, and all their records. */
export function hasEverywhere(rights: Rights, permission: Permission): boolean {
  return rights.some((grant) => grant.may.includes(permission) && isUnlimited(grant, permission));
}

/** Whether the permission is there for something in the domain. */
export function permitsInDomain(rights: Rights, permission: Permission, domain: ZoneName): boolean {
  return rights.some((grant) => grant.may.includes(permission) && includesDomain(grant, domain));
}

/** Whether the permission is there for a record, before or after a change. */
export function permitsRecord(
  rights: Rights,
  permission: RecordPermission,
  domain: ZoneName,
  record: RecordPlace,
): boolean {
  return rights.some(
    (grant) =>
      grant.may.includes(permission) && includesDomain(grant, domain) && includesRecord(grant, record),
  );
}

/** The records of a domain that the permission covers: one of the limits must hold; null: all. Empty: none. */
export function limitsInDomain(
  rights: Rights,
  permission: RecordPermission,
  domain: ZoneName,
): readonly RecordLimits[] | null {
  const grants = rights.filter((grant) => grant.may.includes(permission) && includesDomain(grant, domain));
  return grants.some(({ names, types }) => names === null && types === null) ? null : grants;
}

/** The domains of the account in which the permission is there; null: all. */
export function domainsWith(rights: Rights, permission: Permission): readonly ZoneName[] | null {
  const grants = rights.filter(({ may }) => may.includes(permission));
  if (grants.some(({ domains }) => domains === null)) return null;
  return [...new Set(grants.flatMap(({ domains }) => domains ?? []))].sort();
}

/** Whether `outer` allows everything that `inner` allows. Each grant of `inner` must fit into one of `outer` by itself. */
export function coversRights(outer: Rights, inner: Rights): boolean {
  return inner.every((grant) =>
    grant.may.every((permission) =>
      outer.some((other) => other.may.includes(permission) && coversGrant(other, grant, permission)),
    ),
  );
}

function coversGrant(outer: Grant, inner: Grant, permission: Permission): boolean {
  if (isOfDomains(permission) && !coversList(outer.domains, inner.domains, isSame)) return false;
  if (!isRecordPermission(permission)) return true;
  return coversList(outer.names, inner.names, coversPattern) && coversList(outer.types, inner.types, isSame);
}

function coversList<T>(
  outer: readonly T[] | null,
  inner: readonly T[] | null,
  covers: (outer: T, inner: T) => boolean,
): boolean {
  if (outer === null) return true;
  return inner !== null && inner.every((item) => outer.some((other) => covers(other, item)));
}

function isSame<T>(a: T, b: T): boolean {
  return a === b;
}

function isUnlimited({ domains, names, types }: Grant, permission: Permission): boolean {
  if (!isOfDomains(permission)) return true;
  return domains === null && (!isRecordPermission(permission) || (names === null && types === null));
}

function includesDomain({ domains }: Grant, domain: ZoneName): boolean {
  return domains === null || domains.includes(domain);
}

function includesRecord({ names, types }: Grant, { owner, type }: RecordPlace): boolean {
  return (
    (types === null || types.includes(type)) &&
    (names === null || names.some((pattern) => matchesName(pattern, owner)))
  );
}
