// The JSON text of the users of an account and its invitations. A link appears only in the reply to its creation.
import type { Invitation, Member } from '../model/user.ts';
import { parseUserFactors } from '../model/user-factors.ts';
import { formatDate } from './format-date.ts';
import { formatRole, formatUser } from './format-session.ts';
import { jsonString } from './json-string.ts';

export interface MadeLink {
  readonly invitation: Invitation;
  readonly link: string;
}

/** `{"users":[…]}`. */
export function formatMembersReply(members: readonly Member[]): string {
  return `{"users":[${members.map(formatMember).join()}]}`;
}

export function formatMemberReply(member: Member): string {
  return `{"user":${formatMember(member)}}`;
}

/** The user whose role would change, or who would be removed. */
export function formatMemberPlan(member: Member): string {
  return `{"dry_run":true,"user":${formatMember(member)}}`;
}

/** `{"invitations":[…]}`. */
export function formatInvitationsReply(invitations: readonly Invitation[]): string {
  return `{"invitations":[${invitations.map(formatInvitation).join()}]}`;
}

export function formatNewInvitationReply({ invitation, link }: MadeLink): string {
  return `{"invitation":${formatNewInvitation({ invitation, link })}}`;
}

/** `{…}`, with the link. */
export function formatNewInvitation({ invitation, link }: MadeLink): string {
  return `{${invitationMembers(invitation)},"link":${jsonString(link)}}`;
}

/** The invitation that would be made or revoked. */
export function formatInvitationPlan(invitation: Invitation): string {
  return `{"dry_run":true,"invitation":{${invitationMembers(invitation)}}}`;
}

export function formatRecoveryReply({ invitation, link }: MadeLink): string {
  return `{"recovery":{${expiry(invitation)},"link":${jsonString(link)}}}`;
}

export function formatRecoveryPlan({ invitation }: MadeLink): string {
  return `{"dry_run":true,"recovery":{${expiry(invitation)}}}`;
}

/** `{…}`, without a link. */
export function formatInvitation(invitation: Invitation): string {
  return `{${invitationMembers(invitation)}}`;
}

/** Passwords, passkeys and codes are counted, never shown. */
export function formatMember({ user, membership }: Member): string {
  const { passkeys, oneTimeCode } = parseUserFactors(user.factors);
  const about = formatUser(user).slice(1, -1);
  const joined = `"date_joined":"${formatDate(membership.createdAtSeconds)}"`;
  const proofs = `"password":${user.passwordHash !== null},"one_time_codes":${oneTimeCode !== null},"passkeys":${passkeys.length}`;
  return `{${about},${formatRole(membership)},${joined},${proofs}}`;
}

function invitationMembers(invitation: Invitation): string {
  const { id, email, isOperator, createdAtSeconds, createdBy } = invitation;
  const shown = email === null ? 'null' : jsonString(email);
  return `"id":"${id}","email":${shown},${formatRole(invitation)},"operator":${isOperator},"date_created":"${formatDate(createdAtSeconds)}",${expiry(invitation)},"created_by":${jsonString(createdBy)}`;
}

function expiry({ expiresAtSeconds }: Invitation): string {
  return `"date_expires":"${formatDate(expiresAtSeconds)}"`;
}
