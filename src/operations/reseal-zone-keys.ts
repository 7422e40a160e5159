import type { KeySecrets } from '../dnssec/key-secrets.ts';
import { KeyNotOpened, resealZoneKey } from '../dnssec/private-key.ts';
import type { ResealedKey, SealedKeys, StoredZoneKey } from '../store/sealed-keys.ts';

/** Keys of one write: a few milliseconds, for which others wait. */
const SLICE_KEYS = 200;

export interface ResealReport {
  /** Keys that are now sealed with the first secret. */
  readonly resealed: number;
  /** Keys that no secret opens: their number for each secret that would, by its id. */
  readonly lost: ReadonlyMap<string, number>;
}

/**
 * Seals all private keys that another secret has sealed with the first one. Safe to repeat, and to stop at any moment.
 *
 * @param onProgress gets the number of keys so far, after each slice
 */
export async function resealZoneKeys(
  store: SealedKeys,
  secrets: KeySecrets,
  onProgress: (resealed: number) => void,
): Promise<ResealReport> {
  const lost = new Map<string, number>();
  let resealed = 0;
  let after: StoredZoneKey | undefined;
  for (;;) {
    const found = await store.find(secrets.secretId, SLICE_KEYS, after);
    const exchanged = found.flatMap((stored) => reseal(stored, secrets, lost));
    if (exchanged.length > 0) await store.replace(exchanged);
    resealed += exchanged.length;
    onProgress(resealed);
    if (found.length < SLICE_KEYS) return { resealed, lost };
    after = found.at(-1);
  }
}

function reseal(
  { domainId, key }: StoredZoneKey,
  secrets: KeySecrets,
  lost: Map<string, number>,
): ResealedKey[] {
  try {
    const { id, secretId: formerSecretId } = key;
    return [{ domainId, id, formerSecretId, ...resealZoneKey(key, secrets) }];
  } catch (error) {
    if (!(error instanceof KeyNotOpened)) throw error;
    lost.set(error.secretId, (lost.get(error.secretId) ?? 0) + 1);
    return [];
  }
}
