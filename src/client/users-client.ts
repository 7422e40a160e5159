import type {
  DomainRoleJson,
  InvitationJson,
  InvitationPlanJson,
  MemberJson,
  MemberPlanJson,
  NewInvitationJson,
  RecoveryJson,
  RecoveryPlanJson,
} from '../contract/member-shape.ts';
import type { OpenInvitationJson, SessionReplyJson } from '../contract/session-shape.ts';
import { getOne } from './get-one.ts';
import { memberOf, type Answer } from './read-answer.ts';
import { sendRequest, type Endpoint } from './send-request.ts';
import { sendWrite } from './send-write.ts';
import type { DryRunOption, WriteResult } from './write-options.ts';

/** A role in the whole account, or roles in single domains; one of the two. */
export interface NewMemberRole {
  readonly role?: 'owner' | 'editor' | 'viewer' | undefined;
  readonly grants?: readonly DomainRoleJson[] | undefined;
}

interface AccountOption {
  /** The id of another account; needs an admin key. */
  readonly account?: string | undefined;
}

type Options = DryRunOption & AccountOption;

/** Users of the API key's account or of another one, and invitations. */
export interface UsersClient {
  list(options?: AccountOption): Promise<MemberJson[]>;
  setRole<O extends Options = { dryRun?: false }>(
    id: string,
    role: NewMemberRole,
    options?: O,
  ): Promise<WriteResult<MemberJson, O, MemberPlanJson>>;
  /** Its sessions, and the keys that it made in the account, stop at once. */
  remove<O extends Options = { dryRun?: false }>(
    id: string,
    options?: O,
  ): Promise<WriteResult<undefined, O, MemberPlanJson>>;
  /** The open ones, without their links. */
  invitations(options?: AccountOption): Promise<InvitationJson[]>;
  /** Makes a link that is good for one use. */
  invite<O extends DryRunOption = { dryRun?: false }>(
    invitation: NewMemberRole &
      AccountOption & { readonly email?: string | undefined; readonly operator?: boolean | undefined },
    options?: O,
  ): Promise<WriteResult<NewInvitationJson, O, InvitationPlanJson>>;
  revokeInvitation<O extends Options = { dryRun?: false }>(
    id: string,
    options?: O,
  ): Promise<WriteResult<undefined, O, InvitationPlanJson>>;
  /** Makes a link with which a user sets a new password; needs an admin key. */
  recover<O extends DryRunOption = { dryRun?: false }>(
    id: string,
    options?: O,
  ): Promise<WriteResult<RecoveryJson, O, RecoveryPlanJson>>;
  /** Shows what a link is for; needs no key. @param token the part of the link after # */
  openInvitation(token: string): Promise<OpenInvitationJson>;
  /** Makes the user that a link is for, or sets its new password; needs no key. */
  accept(acceptance: {
    readonly token: string;
    readonly email?: string | undefined;
    readonly name?: string | undefined;
    readonly password: string;
    /** A one-time code or a recovery code of a user who has set them up. */
    readonly code?: string | undefined;
  }): Promise<SessionReplyJson>;
}

export function createUsersClient(endpoint: Endpoint): UsersClient {
  return {
    list: ({ account } = {}) => getOne(endpoint, inAccount('/users', account), 'users'),
    setRole: (id, body, options) =>
      sendWrite(endpoint, 'PATCH', userPath(id, options), { body }, options, readMember),
    remove: (id, options) =>
      sendWrite(endpoint, 'DELETE', userPath(id, options), {}, options, () => undefined),
    invitations: ({ account } = {}) => getOne(endpoint, inAccount('/invitations', account), 'invitations'),
    invite: (body, options) =>
      sendWrite(
        endpoint,
        'POST',
        '/invitations',
        { body },
        options,
        (answer) => memberOf(answer, 'invitation') as NewInvitationJson,
      ),
    revokeInvitation: (id, options) => {
      const path = inAccount(`/invitations/${encodeURIComponent(id)}`, options?.account);
      return sendWrite(endpoint, 'DELETE', path, {}, options, () => undefined);
    },
    recover: (id, options) =>
      sendWrite(
        endpoint,
        'POST',
        `/users/${encodeURIComponent(id)}/recovery`,
        {},
        options,
        (answer) => memberOf(answer, 'recovery') as RecoveryJson,
      ),
    openInvitation: async (token) =>
      memberOf(
        await sendRequest(endpoint, 'POST', '/invitation', { body: { token } }),
        'invitation',
      ) as OpenInvitationJson,
    accept: async (body) => {
      const answer = await sendRequest(endpoint, 'POST', '/invitation/accept', { body, once: true });
      memberOf(answer, 'session');
      return answer.body as SessionReplyJson;
    },
  };
}

function readMember(answer: Answer): MemberJson {
  return memberOf(answer, 'user') as MemberJson;
}

function userPath(id: string, options: AccountOption | undefined): string {
  return inAccount(`/users/${encodeURIComponent(id)}`, options?.account);
}

function inAccount(path: string, account: string | undefined): string {
  return account === undefined ? path : `${path}?account=${encodeURIComponent(account)}`;
}
