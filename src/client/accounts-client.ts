import type {
  AccountChangePlanJson,
  AccountDeletionPlanJson,
  AccountJson,
  StandingJson,
  SuspendedAnswers,
} from '../contract/account-shape.ts';
import type {
  AccountPlanJson,
  KeyPlanJson,
  LimitsJson,
  LimitsPlanJson,
  NewAccountJson,
  OpenedAccountJson,
  OpenedAccountPlanJson,
  OwnAccountJson,
} from '../contract/response-shapes.ts';
import type { NewInvitationJson } from '../contract/member-shape.ts';
import type { KeyJson, KeyScope, KeyTemplate, NewKeyJson } from '../contract/key-shape.ts';
import type { ServiceNameserversJson } from '../contract/nameserver-shape.ts';
import { getOne } from './get-one.ts';
import { listPages, withQuery } from './list-pages.ts';
import { memberOf, type Answer } from './read-answer.ts';
import { sendRequest, type Endpoint } from './send-request.ts';
import { sendWrite } from './send-write.ts';
import type { DryRunOption, WriteResult } from './write-options.ts';

export interface AccountsClient {
  /** Returns the account of the API key. */
  own(): Promise<OwnAccountJson>;
  /**
   * Returns the limits of the API key's account and what it uses.
   *
   * @param account the id of another account; needs an admin key
   */
  limits(account?: string): Promise<LimitsJson>;
  /** Sets the limits of an account; needs an admin key. Limits that are absent have the service's defaults. */
  setLimits<O extends DryRunOption = { dryRun?: false }>(
    account: string,
    limits: { readonly [Name in keyof LimitsJson]?: number | undefined },
    options?: O,
  ): Promise<WriteResult<LimitsJson, O, LimitsPlanJson>>;
  /** Lists all accounts; needs an admin key. */
  list(): AsyncIterable<AccountJson>;
  /** The nameservers of the whole service, and how far each process is; needs an admin key. */
  nameservers(): Promise<ServiceNameserversJson>;
  create<O extends DryRunOption = { dryRun?: false }>(
    account: { readonly name: string; readonly email: string },
    options?: O,
  ): Promise<WriteResult<NewAccountJson, O, AccountPlanJson>>;
  /**
   * Creates an account without a key, and a link for its first owner; needs an admin key.
   *
   * @param account `owner` is the e-mail address of the only person who can use the link
   */
  open<O extends DryRunOption = { dryRun?: false }>(
    account: { readonly name: string; readonly email: string; readonly owner: string },
    options?: O,
  ): Promise<WriteResult<OpenedAccountJson, O, OpenedAccountPlanJson>>;
  /** Says whether the account of the API key is suspended or deleted. */
  standing(): Promise<StandingJson>;
  /** Downloads all that the account of the API key has, as a tar archive compressed with gzip. */
  export(): Promise<ReadableStream<Uint8Array>>;
  /** Deletes the account of the API key; `name` is its name, which a person has typed. */
  deleteOwn<O extends DryRunOption = { dryRun?: false }>(
    name: string,
    options?: O,
  ): Promise<WriteResult<undefined, O, AccountDeletionPlanJson>>;
  /** Returns an account; needs an admin key, as all that follow. */
  get(account: string): Promise<AccountJson>;
  /** Suspends an account, or changes the suspension: nothing in the account can be changed. */
  suspend<O extends DryRunOption = { dryRun?: false }>(
    account: string,
    suspension: { readonly reason: string; readonly answers: SuspendedAnswers },
    options?: O,
  ): Promise<WriteResult<AccountJson, O, AccountChangePlanJson>>;
  resume<O extends DryRunOption = { dryRun?: false }>(
    account: string,
    options?: O,
  ): Promise<WriteResult<undefined, O, AccountChangePlanJson>>;
  /** Deletes an account. It can be restored for as long as deleted domains can be. */
  delete<O extends DryRunOption = { dryRun?: false }>(
    account: string,
    options?: O,
  ): Promise<WriteResult<undefined, O, AccountDeletionPlanJson>>;
  restore<O extends DryRunOption = { dryRun?: false }>(
    account: string,
    options?: O,
  ): Promise<WriteResult<AccountJson, O, AccountChangePlanJson>>;
}

/** Rights of a limited key; absent lists limit nothing. */
export interface NewGrant {
  /** Such as `records:create`. */
  readonly may: readonly string[];
  readonly domains?: readonly string[] | undefined;
  /** Names of records, relative to the domain. */
  readonly names?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
}

export interface KeysClient {
  /** Lists the keys of the API key's account or of another account; needs an admin key. */
  list(options?: { readonly account?: string | undefined }): AsyncIterable<KeyJson>;
  create<O extends DryRunOption = { dryRun?: false }>(
    key: {
      readonly label?: string | undefined;
      readonly scope?: KeyScope | undefined;
      readonly account?: string | undefined;
      readonly rights?: readonly NewGrant[] | undefined;
      readonly template?: KeyTemplate | undefined;
      readonly host?: string | undefined;
      readonly networks?: readonly string[] | undefined;
      readonly date_expires?: string | undefined;
    },
    options?: O,
  ): Promise<WriteResult<NewKeyJson, O, KeyPlanJson>>;
  /** Creates a key that takes the place of another one. Both can be used for `overlapSeconds`, by default 0. */
  rotate<O extends DryRunOption = { dryRun?: false }>(
    id: string,
    overlapSeconds?: number,
    options?: O,
  ): Promise<WriteResult<NewKeyJson, O, KeyPlanJson>>;
  revoke<O extends DryRunOption = { dryRun?: false }>(
    id: string,
    options?: O,
  ): Promise<WriteResult<undefined, O, KeyPlanJson>>;
}

export function createAccountsClient(endpoint: Endpoint): AccountsClient {
  return {
    own: () => getOne(endpoint, '/account', 'account'),
    limits: (account) => getOne(endpoint, limitsPath(account), 'limits'),
    setLimits: (account, body, options) =>
      sendWrite(
        endpoint,
        'PUT',
        limitsPath(account),
        { body },
        options,
        (answer) => memberOf(answer, 'limits') as LimitsJson,
      ),
    nameservers: () => getOne(endpoint, '/nameservers', 'nameservers'),
    list: () => listPages<AccountJson>(endpoint, '/accounts', 'accounts'),
    create: (body, options) =>
      sendWrite(endpoint, 'POST', '/accounts', { body }, options, (answer) => ({
        account: memberOf(answer, 'account') as AccountJson,
        key: memberOf(answer, 'key') as NewKeyJson,
      })),
    open: (body, options) =>
      sendWrite(endpoint, 'POST', '/accounts', { body }, options, (answer) => ({
        account: memberOf(answer, 'account') as AccountJson,
        invitation: memberOf(answer, 'invitation') as NewInvitationJson,
      })),
    ...createLifeClient(endpoint),
  };
}

type LifeClient = Pick<
  AccountsClient,
  'standing' | 'export' | 'deleteOwn' | 'get' | 'suspend' | 'resume' | 'delete' | 'restore'
>;

function createLifeClient(endpoint: Endpoint): LifeClient {
  const pathOf = (account: string): string => `/accounts/${encodeURIComponent(account)}`;
  const readAccount = (answer: Answer): AccountJson => memberOf(answer, 'account') as AccountJson;
  const nothing = (): undefined => undefined;
  return {
    standing: () => getOne(endpoint, '/account/standing', 'standing'),
    async export() {
      const { body } = await sendRequest(endpoint, 'GET', '/account/export', { wantsStream: true });
      return body as ReadableStream<Uint8Array>;
    },
    deleteOwn: (name, options) =>
      sendWrite(endpoint, 'DELETE', withQuery('/account', { name }), {}, options, nothing),
    get: (account) => getOne(endpoint, pathOf(account), 'account'),
    suspend: (account, body, options) =>
      sendWrite(endpoint, 'PUT', `${pathOf(account)}/suspension`, { body }, options, readAccount),
    resume: (account, options) =>
      sendWrite(endpoint, 'DELETE', `${pathOf(account)}/suspension`, {}, options, nothing),
    delete: (account, options) => sendWrite(endpoint, 'DELETE', pathOf(account), {}, options, nothing),
    restore: (account, options) =>
      sendWrite(endpoint, 'POST', `${pathOf(account)}/restore`, {}, options, readAccount),
  };
}

function limitsPath(account: string | undefined): string {
  return account === undefined ? '/account/limits' : `/accounts/${encodeURIComponent(account)}/limits`;
}

export function createKeysClient(endpoint: Endpoint): KeysClient {
  return {
    list: ({ account } = {}) => listPages<KeyJson>(endpoint, '/keys', 'keys', { account }),
    create: (body, options) =>
      sendWrite(
        endpoint,
        'POST',
        '/keys',
        { body },
        options,
        (answer) => memberOf(answer, 'key') as NewKeyJson,
      ),
    rotate: (id, overlap, options) =>
      sendWrite(
        endpoint,
        'POST',
        `/keys/${encodeURIComponent(id)}/rotate`,
        { body: { overlap } },
        options,
        (answer) => memberOf(answer, 'key') as NewKeyJson,
      ),
    revoke: (id, options) =>
      sendWrite(endpoint, 'DELETE', `/keys/${encodeURIComponent(id)}`, {}, options, () => undefined),
  };
}
