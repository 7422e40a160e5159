// The rights of roles. Decides nothing: `rights.ts` does.
import type { Permission } from './permission.ts';
import { domainPermissions, recordPermissions } from './permission.ts';
import { hasSome, unlimited, type Rights } from './rights.ts';
import { roles, type DomainRole, type MemberRole, type Role } from './user.ts';

const viewing: readonly Permission[] = ['domains:read', 'records:read', 'zones:read'];

const editing: readonly Permission[] = [
  ...domainPermissions,
  ...recordPermissions,
  'account:read',
  'keys:read',
];

const owning: readonly Permission[] = [
  'keys:write',
  'users:read',
  'users:write',
  'trail:read',
  'account:export',
  'account:delete',
];

/** By role in a whole account; the same objects each time. */
export const roleRights: Readonly<Record<Role, Rights>> = {
  owner: [unlimited([...editing, ...owning])],
  editor: [unlimited(editing)],
  viewer: [unlimited([...viewing, 'account:read'])],
};

/** A role in single domains is about their content: it neither creates nor deletes them, and sees nothing of the account. */
const mayInDomains: Readonly<Record<DomainRole['role'], readonly Permission[]>> = {
  editor: [
    ...domainPermissions.filter((permission) => !['domains:create', 'domains:delete'].includes(permission)),
    ...recordPermissions,
  ],
  viewer: viewing,
};

/** Operators have them besides those of their roles. They are about all accounts. */
export const operatorRights: Rights = [unlimited(['accounts:read', 'accounts:write', 'metrics:read'])];

/** The rights of a member in its account. */
export function rightsOfMember({ role, grants }: MemberRole): Rights {
  if (role !== null) return roleRights[role];
  return (grants ?? []).map((grant) => ({
    may: mayInDomains[grant.role],
    domains: grant.domains,
    names: null,
    types: null,
  }));
}

/** The roles that have a permission: `owner or editor`; undefined: only operators do. */
export function describeRoles(permission: Permission): string | undefined {
  const having = roles.filter((role) => hasSome(roleRights[role], permission));
  if (having.length === 0) return undefined;
  return having.length === 1
    ? having[0]
    : `${having.slice(0, -1).join(', ')} or ${having[having.length - 1]}`;
}
