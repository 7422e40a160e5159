// The rights of the scopes, which keys had before they could be limited more closely (contract rule 54).
import type { ApiKey, KeyScope } from './account.ts';
import { domainPermissions, permissions, recordPermissions, type Permission } from './permission.ts';
import { hasSome, unlimited, type Rights } from './rights.ts';

const reading: readonly Permission[] = ['domains:read', 'records:read', 'zones:read', 'account:read'];

/** By scope; the same objects each time. */
export const scopeRights: Readonly<Record<KeyScope, Rights>> = {
  read: [unlimited(reading)],
  full: [unlimited(['account:read', ...domainPermissions, ...recordPermissions])],
  admin: [unlimited(permissions)],
  limited: [],
};

const scopes: readonly KeyScope[] = ['read', 'full', 'admin'];

/** The scopes that have a permission: `full or admin`. */
export function describeScopes(permission: Permission): string {
  const having = scopes.filter((scope) => hasSome(scopeRights[scope], permission));
  return having.length === 1
    ? having[0]
    : `${having.slice(0, -1).join(', ')} or ${having[having.length - 1]}`;
}

/** The rights of a key. */
export function rightsOf({ scope, limits }: Pick<ApiKey, 'scope' | 'limits'>): Rights {
  return limits?.rights ?? scopeRights[scope];
}
