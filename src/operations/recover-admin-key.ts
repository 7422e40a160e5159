import type { Clock } from '../base/clock.ts';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import type { Account, ApiKey } from '../model/account.ts';
import { quoteText } from '../model/quote-text.ts';
import { success, type Result } from '../model/result.ts';
import type { KeyStore } from '../store/key-store.ts';
import { serviceAuthor } from '../writes/author.ts';
import { commitWrite } from './commit-write.ts';
import { hashApiKey } from './new-api-key.ts';
import { createIdSource } from './new-id.ts';

/** The label of keys that were not created through the interface. */
export const RECOVERED_LABEL = 'made by zonewright recover-key';

/** Accounts read per page in a search by mail address. */
const PAGE_ACCOUNTS = 500;

/**
 * Finds the account that gets a new admin key. Checks no permission: anyone who can write to the store can do anything.
 *
 * @param named id or mail address; if undefined, the first account, which the first start created for the administrator
 */
export async function findRecoveredAccount(
  store: KeyStore,
  named: string | undefined,
): Promise<Parsed<Account>> {
  if (named === undefined) {
    const first = await store.listAccounts({ direction: 'after', key: null, limit: 1 });
    if (first.rows.length > 0) return parsed(first.rows[0]);
    return malformed('the store has no account yet; the first start of the service creates one with its key');
  }
  const byId = await store.findAccount(named);
  if (byId !== undefined) return parsed(byId);
  const found = await findByEmail(store, named);
  if (found.length === 1) return parsed(found[0]);
  if (found.length === 0) return malformed(`no account has the id or mail address ${quoteText(named)}`);
  const ids = found.map(({ id }) => id).join(', ');
  return malformed(
    `${found.length} accounts have the mail address ${quoteText(named)}; select one by its id: ${ids}`,
  );
}

/** Rejects like the store's `write`. */
export async function createRecoveredKey(
  store: KeyStore,
  clock: Clock,
  account: Account,
  keyText: string,
): Promise<Result<ApiKey>> {
  const key: ApiKey = {
    id: createIdSource(clock)(),
    accountId: account.id,
    hash: hashApiKey(keyText),
    scope: 'admin',
    label: RECOVERED_LABEL,
    createdAtSeconds: Math.floor(clock.nowMs() / 1000),
  };
  const author = serviceAuthor(clock.nowMs());
  const result = await commitWrite({ store }, { kind: 'createKey', author, key });
  return result.ok ? success(key) : result;
}

async function findByEmail(store: KeyStore, email: string): Promise<Account[]> {
  const found: Account[] = [];
  let key: string | null = null;
  for (;;) {
    const page = await store.listAccounts({ direction: 'after', key, limit: PAGE_ACCOUNTS });
    found.push(...page.rows.filter((account) => account.email.toLowerCase() === email.toLowerCase()));
    if (!page.hasAfter) return found;
    key = page.rows[page.rows.length - 1].id;
  }
}
