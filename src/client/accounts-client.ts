import type {
  AccountJson,
  KeyJson,
  KeyScope,
  NewKeyJson,
  OwnAccountJson,
} from '../contract/response-shapes.ts';
import { listPages } from './list-pages.ts';
import { sendRequest, type Endpoint } from './send-request.ts';

export interface AccountsClient {
  /** The key's own. */
  own(): Promise<OwnAccountJson>;
  /** All, for administrative keys. */
  list(): AsyncIterable<AccountJson>;
  create(account: {
    readonly name: string;
    readonly email: string;
  }): Promise<{ readonly account: AccountJson; readonly key: NewKeyJson }>;
}

export interface KeysClient {
  /** Of the key's own account, or of another with an administrative key. */
  list(options?: { readonly account?: string | undefined }): AsyncIterable<KeyJson>;
  create(key: {
    readonly label?: string | undefined;
    readonly scope?: KeyScope | undefined;
    readonly account?: string | undefined;
  }): Promise<NewKeyJson>;
  revoke(id: string): Promise<void>;
}

export function createAccountsClient(endpoint: Endpoint): AccountsClient {
  return {
    own: async () => {
      const { body } = await sendRequest(endpoint, 'GET', '/account');
      return (body as { account: OwnAccountJson }).account;
    },
    list: () => listPages<AccountJson>(endpoint, '/accounts', 'accounts'),
    create: async (body) => {
      const answer = await sendRequest(endpoint, 'POST', '/accounts', { body });
      return answer.body as { account: AccountJson; key: NewKeyJson };
    },
  };
}

export function createKeysClient(endpoint: Endpoint): KeysClient {
  return {
    list: ({ account } = {}) => listPages<KeyJson>(endpoint, '/keys', 'keys', { account }),
    create: async (body) => {
      const answer = await sendRequest(endpoint, 'POST', '/keys', { body });
      return (answer.body as { key: NewKeyJson }).key;
    },
    revoke: async (id) => {
      await sendRequest(endpoint, 'DELETE', `/keys/${encodeURIComponent(id)}`);
    },
  };
}
