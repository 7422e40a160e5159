import type { InvitationJson, MemberJson } from '../../contract/member-shape.ts';
import type { Columns } from '../terminal/print-list.ts';

type RoleJson = Pick<MemberJson, 'role' | 'grants'>;

/** `owner`, or `editor of example.com, example.net; viewer of example.org`. */
export function describeRole({ role, grants }: RoleJson): string {
  return role ?? (grants ?? []).map((grant) => `${grant.role} of ${grant.domains.join(', ')}`).join('; ');
}

export const memberColumns: Columns<MemberJson> = {
  id: (user) => user.id,
  email: (user) => user.email,
  role: describeRole,
  name: (user) => user.name,
  joined: (user) => user.date_joined,
  proofs: describeProofs,
};

/** The ways in which a user can sign in. */
function describeProofs({ password, one_time_codes: hasCodes, passkeys }: MemberJson): string {
  const proofs = [
    ...(password ? [hasCodes ? 'password with one-time codes' : 'password'] : []),
    ...(passkeys > 0 ? [`${passkeys} passkey${passkeys === 1 ? '' : 's'}`] : []),
  ];
  return proofs.length === 0 ? 'none' : proofs.join(', ');
}

/** Columns for a dry run, when the invitation has no id. */
export const plannedColumns: Columns<InvitationJson> = {
  email: (invitation) => invitation.email ?? 'anybody with the link',
  role: (invitation) => `${describeRole(invitation)}${invitation.operator ? ', operator' : ''}`,
};

export const invitationColumns: Columns<InvitationJson> = {
  id: (invitation) => invitation.id,
  ...plannedColumns,
  expires: (invitation) => invitation.date_expires,
};
