// Keeps the connection to a provider: what it says about itself is read when somebody first signs in with it, and again later.
// A provider that is away keeps nothing from starting, and is not asked again for each log-in.
import type { MonotonicClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type {
  OpenIdProvider,
  ProviderFailure,
  ProviderResult,
  ProviderSettings,
} from './open-id-provider.ts';
import type * as protocolModule from './provider-protocol.ts';
import type { ProviderConnection } from './provider-protocol.ts';

/** Endpoints of a provider hardly ever change; its keys are looked up by the library when an unknown one is used. */
const DESCRIPTION_SECONDS = 3600;

/** A provider that could not be reached is left alone for so long. */
const FAILURE_SECONDS = 5;

/** Codes that are exchanged at the same time; a provider takes a fraction of a second for each. */
const MAX_EXCHANGES = 16;

interface Connecting {
  readonly result: Promise<ProviderResult<ProviderConnection>>;
  /** By the monotonic clock. */
  endsAtMs: number;
}

export function connectProvider(settings: ProviderSettings, clock: MonotonicClock, log: Log): OpenIdProvider {
  const { issuer, name } = settings;
  let connecting: Connecting | undefined;
  let exchanges = 0;

  function connect(): Promise<ProviderResult<ProviderConnection>> {
    if (connecting !== undefined && clock.elapsedMs() < connecting.endsAtMs) return connecting.result;
    const begun: Connecting = {
      result: attempt(settings, log, ({ discover }) => discover(settings)),
      endsAtMs: clock.elapsedMs() + DESCRIPTION_SECONDS * 1000,
    };
    connecting = begun;
    void begun.result.then(({ ok }) => {
      if (!ok) begun.endsAtMs = clock.elapsedMs() + FAILURE_SECONDS * 1000;
    });
    return begun.result;
  }

  return {
    issuer,
    name,
    async begin(login) {
      const connection = await connect();
      if (!connection.ok) return connection;
      return attempt(settings, log, ({ authorizationUrl }) =>
        authorizationUrl(connection.value, settings, login),
      );
    },
    async redeem(query, login) {
      if (exchanges >= MAX_EXCHANGES) return busy;
      exchanges++;
      try {
        const connection = await connect();
        if (!connection.ok) return connection;
        return await attemptLogin(settings, log, ({ redeemCode }) =>
          redeemCode(connection.value, settings, query, login),
        );
      } finally {
        exchanges--;
      }
    },
  };
}

const busy: ProviderFailure = { ok: false, kind: 'busy', reason: 'Too many users are signing in' };

type Protocol = typeof protocolModule;

/** Exchanges a code, which may be wrong. */
async function attemptLogin<T>(
  { issuer }: ProviderSettings,
  log: Log,
  work: (protocol: Protocol) => Promise<T>,
): Promise<ProviderResult<T>> {
  // The library is loaded here first.
  const [protocol, { failureOf, detailsOf }] = await Promise.all([
    import('./provider-protocol.ts'),
    import('./provider-failure.ts'),
  ]);
  try {
    return { ok: true, value: await work(protocol) };
  } catch (error) {
    const failure = failureOf(error);
    const fields = { issuer, ...detailsOf(error) };
    if (failure.kind === 'rejected') log.debug(fields, 'a log-in by OpenID Connect was refused');
    else log.warn(fields, 'the OpenID Connect provider failed');
    return failure;
  }
}

/** Whatever goes wrong before a person comes back from the provider is the provider's fault, or that of the settings. */
async function attempt<T>(
  settings: ProviderSettings,
  log: Log,
  work: (protocol: Protocol) => Promise<T>,
): Promise<ProviderResult<T>> {
  const result = await attemptLogin(settings, log, work);
  return result.ok ? result : { ...result, kind: 'away' };
}
