// Links that are good once: they let somebody join an account, or let a user who is locked out back in.
import { newOneTimeToken } from '../credentials/one-time-token.ts';
import { INVITATION_SECONDS, RECOVERY_SECONDS, type Invitation, type MemberRole } from '../model/user.ts';
import type { OperationContext } from './operation-context.ts';

export interface NewLink {
  readonly invitation: Invitation;
  /** The part of the link after `#`; the store has only its hash. */
  readonly token: string;
}

export interface LinkTerms extends MemberRole {
  readonly accountId: string;
  /** In lower case; null: the person who accepts chooses it. */
  readonly email: string | null;
  readonly isOperator: boolean;
  /** As in `Author.keyId`; empty for the service itself. */
  readonly createdBy: string;
}

type LinkContext = Pick<OperationContext, 'clock' | 'newId'>;

export function newInvitationLink(context: LinkContext, terms: LinkTerms): NewLink {
  return newLink(context, { ...terms, recovers: null }, INVITATION_SECONDS);
}

/** The user sets a new password, and loses its second factors and sessions. */
export function newRecoveryLink(context: LinkContext, userId: string, createdBy = ''): NewLink {
  const about = { accountId: '', email: null, role: null, grants: null, isOperator: false, createdBy };
  return newLink(context, { ...about, recovers: userId }, RECOVERY_SECONDS);
}

function newLink(
  { clock, newId }: LinkContext,
  about: Omit<Invitation, 'id' | 'hash' | 'createdAtSeconds' | 'expiresAtSeconds'>,
  lifetimeSeconds: number,
): NewLink {
  const { text: token, hash } = newOneTimeToken('invitation');
  const createdAtSeconds = Math.floor(clock.nowMs() / 1000);
  const expiresAtSeconds = createdAtSeconds + lifetimeSeconds;
  return { invitation: { id: newId(), hash, ...about, createdAtSeconds, expiresAtSeconds }, token };
}

/** @param origin under which browsers reach the service. Browsers never send the part after `#`, so that no log has it. */
export function formatLink({ invitation, token }: NewLink, origin: string): string {
  return `${origin}/${invitation.recovers === null ? 'invite' : 'recover'}#${token}`;
}
