import type { Domain } from '../../model/domain.ts';
import { signallingDomainOf } from '../../model/signal-name.ts';
import type { SigningReads } from '../../store/signing-reads.ts';
import type { Store } from '../../store/store.ts';

/** Keys of one page; an account has a thousand unless an administrator allows more. */
const PAGE_KEYS = 500;

/** Keys that are looked at; an administrator whose key comes after them has an account of an unusual size. */
const MAX_KEY_PAGES = 20;

/**
 * Finds the domains in which the operator vouches for others: those that are named after a nameserver of the service, in an
 * account with a key of scope `admin`. Such a name in the account of a customer, from before it was reserved, is left alone.
 */
export async function findSignallingDomains(
  nameservers: readonly string[],
  store: Pick<Store, 'listKeys'> & { readonly signing: Pick<SigningReads, 'findAnyDomain'> },
): Promise<readonly Domain[]> {
  const found: Domain[] = [];
  for (const name of new Set(nameservers.map(signallingDomainOf))) {
    const domain = await store.signing.findAnyDomain(name);
    if (domain !== undefined && (await isAdministrator(domain.accountId, store))) found.push(domain);
  }
  return found;
}

async function isAdministrator(accountId: string, store: Pick<Store, 'listKeys'>): Promise<boolean> {
  let key: string | null = null;
  for (let pages = 0; pages < MAX_KEY_PAGES; pages++) {
    const page = await store.listKeys(accountId, { direction: 'after', key, limit: PAGE_KEYS });
    if (page.rows.some(({ scope }) => scope === 'admin')) return true;
    if (!page.hasAfter) return false;
    key = page.rows.at(-1)?.id ?? null;
  }
  return false;
}
