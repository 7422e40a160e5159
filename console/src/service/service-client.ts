import { createClient } from '../../../src/client/zonewright-client.ts';
import { accountOfRequest } from './visit.ts';
import { waitAsAsked } from './waits.ts';

/** All requests of the console: to its own origin, with the cookie of the session. */
export const service = createClient({
  url: location.origin,
  fetch: (input, init) => {
    const account = accountOfRequest(new URL(input instanceof Request ? input.url : input).pathname);
    const headers = new Headers(init?.headers);
    if (account !== undefined) headers.set('Zonewright-Account', account);
    return fetch(input, { ...init, headers, credentials: 'same-origin', cache: 'no-store' });
  },
  sleep: waitAsAsked,
});
