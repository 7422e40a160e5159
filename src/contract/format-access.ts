// The JSON text of accesses of operators.
import type { Access, User } from '../model/user.ts';
import { formatDate } from './format-date.ts';
import { jsonString } from './json-string.ts';

interface ShownAccess {
  readonly access: Access;
  readonly user: User;
}

export function formatAccessReply(shown: ShownAccess): string {
  return `{"access":${formatAccess(shown)}}`;
}

/** `{"accesses":[…]}`. */
export function formatAccessesReply(accesses: readonly ShownAccess[]): string {
  return `{"accesses":[${accesses.map(formatAccess).join()}]}`;
}

function formatAccess({ access, user }: ShownAccess): string {
  const { id, accountId, reason, createdAtSeconds, expiresAtSeconds } = access;
  const who = `{"id":"${user.id}","email":${jsonString(user.email)}}`;
  return `{"id":"${id}","account":"${accountId}","user":${who},"reason":${jsonString(reason)},"date_created":"${formatDate(createdAtSeconds)}","date_expires":"${formatDate(expiresAtSeconds)}"}`;
}
