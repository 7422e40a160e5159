// The JSON text of users, sessions and open links.
import type { Account } from '../model/account.ts';
import type { Invitation, MemberRole, Membership, Session, User } from '../model/user.ts';
import { formatDate } from './format-date.ts';
import { jsonString } from './json-string.ts';

interface Shown {
  readonly user: User;
  readonly session: Session;
  readonly memberships: readonly Membership[];
  readonly accounts: readonly Account[];
}

/** `{"session":{…},"user":{…},"accounts":[…]}`. */
export function formatSessionReply({ user, session, memberships, accounts }: Shown): string {
  const shown = accounts.map((account) => {
    const member = memberships.find(({ accountId }) => accountId === account.id);
    return `{"id":"${account.id}","name":${jsonString(account.name)},${formatRole(member ?? noRole)}}`;
  });
  return `{"session":${formatSession(session, session.id)},"user":${formatUser(user)},"accounts":[${shown.join()}]}`;
}

/** `{"sessions":[…]}`. @param currentId the session of the request */
export function formatSessionsReply(sessions: readonly Session[], currentId: string): string {
  return `{"sessions":[${sessions.map((session) => formatSession(session, currentId)).join()}]}`;
}

export function formatUserReply(user: User): string {
  return `{"user":${formatUser(user)}}`;
}

/** `{"id","email","name","operator"}`. */
export function formatUser({ id, email, name, isOperator }: User): string {
  return `{"id":"${id}","email":${jsonString(email)},"name":${jsonString(name)},"operator":${isOperator}}`;
}

/** The holder of a link sees it before accepting. */
export function formatOpenInvitationReply({
  invitation,
  account,
  recovered,
}: {
  readonly invitation: Invitation;
  readonly account: Account | undefined;
  readonly recovered: User | undefined;
}): string {
  const { email, isOperator, expiresAtSeconds } = invitation;
  const kind = recovered === undefined ? 'invitation' : 'recovery';
  const role = recovered === undefined ? invitation : noRole;
  return `{"invitation":{"kind":"${kind}","email":${textOrNull(recovered?.email ?? email)},"account":${textOrNull(account?.name ?? null)},${formatRole(role)},"operator":${isOperator},"date_expires":"${formatDate(expiresAtSeconds)}"}}`;
}

const noRole: MemberRole = { role: null, grants: null };

/** `"role":…,"grants":…`. */
export function formatRole({ role, grants }: MemberRole): string {
  return `"role":${JSON.stringify(role)},"grants":${JSON.stringify(grants)}`;
}

function formatSession(session: Session, currentId: string): string {
  const { id, createdAtSeconds, seenAtSeconds, freshUntilSeconds, endsAtSeconds, address, agent } = session;
  const dates = `"date_created":"${formatDate(createdAtSeconds)}","date_seen":"${formatDate(seenAtSeconds)}","date_fresh":"${formatDate(freshUntilSeconds)}","date_ends":"${formatDate(endsAtSeconds)}"`;
  return `{"id":"${id}",${dates},"address":${textOrNull(address)},"agent":${textOrNull(agent)},"current":${id === currentId}}`;
}

function textOrNull(text: string | null): string {
  return text === null ? 'null' : jsonString(text);
}
