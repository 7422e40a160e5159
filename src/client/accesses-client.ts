// Operators who have signed in look into accounts of others, after saying why. No key can do that.
import type { AccessJson } from '../contract/access-shape.ts';
import { getOne } from './get-one.ts';
import { memberOf } from './read-answer.ts';
import { sendRequest, type Endpoint } from './send-request.ts';

export interface AccessesClient {
  /** The operators who look into an account now, for operators and admin keys. */
  list(account: string): Promise<readonly AccessJson[]>;
  /** The accounts that this operator looks into now, in all its sessions. */
  listOwn(): Promise<readonly AccessJson[]>;
  /** For an hour, requests of this session that name the account have the rights of a viewer in it. */
  start(account: string, reason: string): Promise<AccessJson>;
  /** Ends that in all sessions of the operator. */
  end(account: string): Promise<void>;
}

export function createAccessesClient(endpoint: Endpoint): AccessesClient {
  const pathOf = (account: string): string => `/accounts/${encodeURIComponent(account)}/access`;
  return {
    list: (account) =>
      getOne(endpoint, `/account/accesses?account=${encodeURIComponent(account)}`, 'accesses'),
    listOwn: () => getOne(endpoint, '/accesses', 'accesses'),
    start: async (account, reason) => {
      const answer = await sendRequest(endpoint, 'POST', pathOf(account), { body: { reason }, once: true });
      return memberOf(answer, 'access') as AccessJson;
    },
    end: async (account) => {
      await sendRequest(endpoint, 'DELETE', pathOf(account), { once: true });
    },
  };
}
