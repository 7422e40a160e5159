import type {
  CodeSetupJson,
  FactorsJson,
  PasskeyJson,
  RegisterOptionsJson,
} from '../contract/factor-shape.ts';
import { getOne } from './get-one.ts';
import { memberOf } from './read-answer.ts';
import { sendRequest, type Endpoint, type Method } from './send-request.ts';

/** The means of the user who has signed in to prove who it is. Changes need a fresh proof (`client.session.confirm`). */
export interface FactorsClient {
  get(): Promise<FactorsJson>;
  /** Returns options for `navigator.credentials.create()`. */
  startAddingPasskey(): Promise<RegisterOptionsJson>;
  /** @param credential what `toJSON()` of the browser's answer returns */
  addPasskey(credential: object, name?: string): Promise<PasskeyJson>;
  renamePasskey(id: string, name: string): Promise<PasskeyJson>;
  removePasskey(id: string): Promise<void>;
  /** Returns a secret for the user's app, which counts once `confirmOneTimeCodes` has shown a code of it. */
  startOneTimeCodes(): Promise<CodeSetupJson>;
  /** Returns the recovery codes, which are never shown again. */
  confirmOneTimeCodes(code: string): Promise<readonly string[]>;
  /** The recovery codes go with them. */
  removeOneTimeCodes(): Promise<void>;
  /** Returns new recovery codes; all former ones are good for nothing. */
  replaceRecoveryCodes(): Promise<readonly string[]>;
  /** The user then signs in with passkeys only. */
  removePassword(): Promise<void>;
}

export function createFactorsClient(endpoint: Endpoint): FactorsClient {
  const send = (method: Method, path: string, body?: object) =>
    sendRequest(endpoint, method, `/user/${path}`, { ...(body && { body }), once: true });
  const remove = async (path: string): Promise<void> => {
    await send('DELETE', path);
  };
  const passkeyPath = (id: string): string => `passkeys/${encodeURIComponent(id)}`;
  return {
    get: () => getOne(endpoint, '/user/factors', 'factors'),
    startAddingPasskey: async () =>
      memberOf(await send('POST', 'passkeys/start'), 'options') as RegisterOptionsJson,
    addPasskey: async (credential, name) =>
      memberOf(await send('POST', 'passkeys', { credential, name }), 'passkey') as PasskeyJson,
    renamePasskey: async (id, name) =>
      memberOf(await send('PATCH', passkeyPath(id), { name }), 'passkey') as PasskeyJson,
    removePasskey: (id) => remove(passkeyPath(id)),
    startOneTimeCodes: async () =>
      memberOf(await send('POST', 'one_time_code'), 'one_time_code') as CodeSetupJson,
    confirmOneTimeCodes: async (code) =>
      memberOf(await send('POST', 'one_time_code/confirm', { code }), 'recovery_codes') as string[],
    removeOneTimeCodes: () => remove('one_time_code'),
    replaceRecoveryCodes: async () =>
      memberOf(await send('POST', 'recovery_codes'), 'recovery_codes') as string[],
    removePassword: () => remove('password'),
  };
}
