// Looks at start whether the service has the secrets that open the keys of signed domains, and logs it if one is missing:
// otherwise, an operator who has restored a store without them learns it from customers whose writes are refused.
import type { Log } from '../base/log.ts';
import type { KeySecrets } from '../dnssec/key-secrets.ts';
import { KeyNotOpened, openPrivateKey } from '../dnssec/private-key.ts';
import { isHeldElsewhere, isSigning, type ZoneKey } from '../dnssec/zone-key.ts';
import type { Store } from '../store/store.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';

/** Signed domains that are looked at: some 10 ms of reads and decryption. A lost secret concerns most of them. */
const MAX_LOOKED_AT = 100;

/** Domains in the log line. */
const MAX_NAMED = 5;

/** Later than any domain is to be renewed. */
const EVER_SECONDS = 2 ** 40;

/**
 * A store that is away is reported elsewhere.
 *
 * @param secrets undefined if there are none
 * @param stopping aborted before the store is closed
 */
export async function warnOfLostSecret(
  store: Pick<Store, 'signing'>,
  secrets: KeySecrets | undefined,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  try {
    const domains: string[] = [];
    for (const domain of await store.signing.domainsDueForRenewal(EVER_SECONDS, MAX_LOOKED_AT)) {
      if (stopping.aborted) return;
      const keys = await store.signing.zoneKeys(domain);
      if (!keys.every((key) => !isSigning(key) || opens(key, secrets))) domains.push(domain.name);
    }
    if (domains.length > 0) logFound(log, domains);
  } catch (error) {
    // After a stop, the store is closed.
    if (!stopping.aborted && !(error instanceof StoreUnavailable)) throw error;
  }
}

function logFound(log: Log, found: readonly string[]): void {
  log.error(
    { domains: found.slice(0, MAX_NAMED), count: found.length },
    'the keys of signed domains cannot be opened: put back dnssec.key, or the former secret beside the new one in dnssec_secret; until then, writes to these domains are refused and their signatures are not renewed',
  );
}

function opens(key: ZoneKey, secrets: KeySecrets | undefined): boolean {
  // Another provider, or another signer, has the private key.
  if (isHeldElsewhere(key)) return true;
  if (secrets === undefined) return false;
  try {
    openPrivateKey(key, secrets);
    return true;
  } catch (error) {
    if (error instanceof KeyNotOpened) return false;
    throw error;
  }
}
