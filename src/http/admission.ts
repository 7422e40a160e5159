// Checks the API key or the session, then the rate limit, before the rest of a request is read.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { MonotonicClock } from '../base/clock.ts';
import type { Caller } from '../model/account.ts';
import { authenticate, findUseRefusal } from '../operations/authenticate.ts';
import { authenticateSession } from '../operations/authenticate-session.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { Parsed } from '../base/parsed.ts';
import { answerError, answerMalformed, type Answer } from './answer.ts';
import { createClientAddresses, type ClientAddresses } from './client-address.ts';
import { findBearerToken } from './bearer-token.ts';
import { cookieKind, findCrossSiteAnswer } from './browser-origin.ts';
import { clientNetwork } from './client-network.ts';
import { anonymousRequests } from './limits.ts';
import { createRateLimiter, type Quota } from './rate-limiter.ts';
import { schemeOf, type Scheme } from './request-scheme.ts';
import { findSessionToken } from './session-cookie.ts';

export interface Admission {
  /**
   * Authenticates a request and counts it: by key or user, or by address if it has no valid key or session.
   *
   * @param isOpen the route needs neither
   */
  admit(message: IncomingMessage, isOpen?: boolean): Promise<Admitted>;
  /** Returns the client's address, behind the proxies; a problem if a proxy sent malformed headers. */
  readonly findAddress: (message: IncomingMessage) => Parsed<string | undefined>;
  /** Returns the scheme by which the client sent a request, behind the proxies. */
  readonly findScheme: (message: IncomingMessage) => Scheme;
  /** Counts a request without a key by the client's address. */
  readonly countAnonymous: (address: string | undefined) => Quota;
  /** The same by the peer of the connection, for requests whose headers cannot be read. */
  readonly countPeer: (socket: Duplex) => Quota;
}

export interface Admitted {
  readonly caller: Caller | null;
  /** The client's address, behind the proxies. */
  readonly address: string | undefined;
  /** Null if requests are not limited. */
  readonly quota: Quota | null;
  /** Undefined if the request is admitted. */
  readonly refusal: Answer | undefined;
}

/** @param requestsPerSecond per key; 0 for no limit */
export function createAdmission(
  context: OperationContext,
  requestsPerSecond: number,
  { onCaller, onInvalidKey, addresses = createClientAddresses([]) }: AdmissionOptions = {},
): Admission {
  const { monotonic: clock } = context;
  const { publicUrl } = context.settings;
  const countAnonymous = createAnonymousCount(clock);
  const perKey =
    requestsPerSecond > 0
      ? createRateLimiter('default', { quota: requestsPerSecond, windowSeconds: 1 })
      : undefined;
  const findScheme = (message: IncomingMessage): Scheme => schemeOf(message, addresses, publicUrl);
  const findAddress = ({ socket, headers }: IncomingMessage): Parsed<string | undefined> =>
    addresses.find(addresses.peerOf(socket), headers);

  return {
    countAnonymous,
    countPeer: createPeerCount(addresses, countAnonymous),
    findAddress,
    findScheme,
    async admit(message, isOpen = false) {
      const found = findAddress(message);
      const address = found.ok ? found.value : addresses.peerOf(message.socket).address;
      const malformedHeaders = found.ok ? undefined : answerMalformed(found.problem);
      const keyText = findBearerToken(message);
      const caller = await findCaller(context, message, keyText, findScheme);
      if (caller === undefined) {
        if (keyText !== undefined) onInvalidKey?.(address);
        const quota = countAnonymous(address);
        const refused = isOpen ? findCrossSiteAnswer(message, false, publicUrl) : invalidKey;
        const refusal = findRateRefusal(quota) ?? malformedHeaders ?? refused;
        return { caller: null, address, quota, refusal };
      }
      const crossSite =
        caller.signedIn === undefined ? undefined : findCrossSiteAnswer(message, true, publicUrl);
      onCaller?.(message.socket);
      const quota = perKey?.take(caller.keyId, clock.elapsedMs()) ?? null;
      const rateRefusal = quota === null ? undefined : findRateRefusal(quota);
      const unusable = findUseRefusal(context, caller, address);
      const refusal = rateRefusal ?? malformedHeaders ?? crossSite ?? (unusable && answerError(unusable));
      return { caller, address, quota, refusal };
    },
  };
}

/** A key counts more than a session: it is sent on purpose. */
async function findCaller(
  context: OperationContext,
  message: IncomingMessage,
  keyText: string | undefined,
  findScheme: Admission['findScheme'],
): Promise<Caller | undefined> {
  if (keyText !== undefined) return authenticate(context, keyText);
  if (message.headers.cookie === undefined) return undefined;
  const kind = cookieKind(message, findScheme(message));
  const token = kind && findSessionToken(message, kind === 'secure');
  if (token === undefined) return undefined;
  const account = message.headers[ACCOUNT_HEADER];
  return authenticateSession(context, token, account === undefined ? undefined : String(account).trim());
}

/** Names the account in which a user of several acts (contract rule 77). */
const ACCOUNT_HEADER = 'zonewright-account';

interface AdmissionOptions {
  /** Called for each request with a valid key. */
  readonly onCaller?: (socket: Socket) => void;
  /** Called for each request with a key that is not valid. */
  readonly onInvalidKey?: (address: string | undefined) => void;
  readonly addresses?: ClientAddresses;
}

/** Counts by network. Clients with an unknown address share one count. */
export function createAnonymousCount(clock: MonotonicClock): Admission['countAnonymous'] {
  const perAddress = createRateLimiter('address', anonymousRequests);
  return (address) => perAddress.take(clientNetwork(address), clock.elapsedMs());
}

export function createPeerCount(
  addresses: ClientAddresses,
  countAnonymous: Admission['countAnonymous'],
): Admission['countPeer'] {
  return (socket) => countAnonymous(addresses.peerOf(socket).address);
}

const invalidKey = answerError({
  code: 'invalid_key',
  message: 'A valid API key is required: Authorization: Bearer <key>, or a session',
});

/** Returns undefined if the request is within the limit. */
export function findRateRefusal(quota: Quota): Answer | undefined {
  const seconds = quota.retryAfterSeconds;
  if (seconds === 0) return undefined;
  const message = `Too many requests, try again in ${seconds} second${seconds === 1 ? '' : 's'}`;
  return answerError({ code: 'rate_limited', message }, ['Retry-After', String(seconds)]);
}
