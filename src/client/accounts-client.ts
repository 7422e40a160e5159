import type {
  AccountJson,
  AccountPlanJson,
  KeyPlanJson,
  LimitsJson,
  LimitsPlanJson,
  NewAccountJson,
  OwnAccountJson,
} from '../contract/response-shapes.ts';
import type { KeyJson, KeyScope, KeyTemplate, NewKeyJson } from '../contract/key-shape.ts';
import { getOne } from './get-one.ts';
import { listPages } from './list-pages.ts';
import { memberOf } from './read-answer.ts';
import type { Endpoint } from './send-request.ts';
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
  create<O extends DryRunOption = { dryRun?: false }>(
    account: { readonly name: string; readonly email: string },
    options?: O,
  ): Promise<WriteResult<NewAccountJson, O, AccountPlanJson>>;
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
    list: () => listPages<AccountJson>(endpoint, '/accounts', 'accounts'),
    create: (body, options) =>
      sendWrite(endpoint, 'POST', '/accounts', { body }, options, (answer) => ({
        account: memberOf(answer, 'account') as AccountJson,
        key: memberOf(answer, 'key') as NewKeyJson,
      })),
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
