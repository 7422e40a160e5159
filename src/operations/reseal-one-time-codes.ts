import type { KeySecrets } from '../dnssec/key-secrets.ts';
import { formatUserFactors, parseUserFactors, type OneTimeCode } from '../model/user-factors.ts';
import type { SealedKeys } from '../store/sealed-keys.ts';
import { openCodeSecret, sealCodeSecret } from './one-time-code-secret.ts';
import type { ResealReport } from './reseal-zone-keys.ts';

/** Users of one write: a few milliseconds, for which others wait. */
const SLICE_USERS = 200;

/**
 * Seals the secrets of one-time codes of all users that another secret has sealed with the first one. Safe to repeat, and to stop
 * at any moment.
 *
 * @param secrets those for one-time codes
 */
export async function resealOneTimeCodes(store: SealedKeys, secrets: KeySecrets): Promise<ResealReport> {
  const lost = new Map<string, number>();
  let resealed = 0;
  const reseal = (code: OneTimeCode | null, userId: string): OneTimeCode | null => {
    if (code === null || code.secretId === secrets.secretId) return code;
    const secret = openCodeSecret(code, userId, secrets);
    if (secret === undefined) {
      lost.set(code.secretId, (lost.get(code.secretId) ?? 0) + 1);
      return code;
    }
    resealed++;
    return { ...code, ...sealCodeSecret(secret, userId, secrets) };
  };
  let after: string | undefined = '';
  while (after !== undefined) {
    after = await store.exchangeFactors(after, SLICE_USERS, ({ id, factors }) => {
      const { oneTimeCode, pendingCode, ...others } = parseUserFactors(factors);
      return formatUserFactors({
        ...others,
        oneTimeCode: reseal(oneTimeCode, id),
        pendingCode: reseal(pendingCode, id),
      });
    });
  }
  return { resealed, lost };
}
