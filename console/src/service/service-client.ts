import { createClient } from '../../../src/client/zonewright-client.ts';
import { chosenAccount } from './chosen-account.ts';
import { waitAsAsked } from './waits.ts';

/** All requests of the console: to its own origin, with the cookie of the session. */
export const service = createClient({
  url: location.origin,
  fetch: (input, init) => {
    const account = chosenAccount.get();
    const headers = new Headers(init?.headers);
    if (account !== undefined) headers.set('Zonewright-Account', account);
    return fetch(input, { ...init, headers, credentials: 'same-origin', cache: 'no-store' });
  },
  sleep: waitAsAsked,
});
