// Looks for domains that still have the placeholder of an unset nameserver, which nobody can resolve, and logs them once.
import type { Logger } from 'pino';
import type { Domain } from '../model/domain.ts';
import { readApexNameservers } from '../operations/apex-nameservers.ts';
import type { PageRequest, Store } from '../store/store.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import { UNSET_NAMESERVER } from '../model/unset-nameserver.ts';

/** Accounts and domains that are looked at: a second of short reads, one after the other. Larger services have configured theirs. */
const MAX_LOOKED_AT = 1000;

/** Names in the log line. */
const MAX_NAMED = 5;

const PAGE_ROWS = 100;

/**
 * A store that is away is reported elsewhere.
 *
 * @param stopping aborted before the store is closed
 */
export async function warnOfPlaceholders(store: Store, log: Logger, stopping: AbortSignal): Promise<void> {
  try {
    const found: string[] = [];
    let looked = 0;
    for await (const domain of accountsAndDomains(store)) {
      if (stopping.aborted) return;
      if (++looked > MAX_LOOKED_AT) break;
      if (domain !== null && (await hasPlaceholder(store, domain))) found.push(domain.name);
    }
    if (found.length > 0) logFound(log, found, looked > MAX_LOOKED_AT);
  } catch (error) {
    // After a stop, the store is closed.
    if (!stopping.aborted && !(error instanceof StoreUnavailable)) throw error;
  }
}

function logFound(log: Logger, found: readonly string[], isCut: boolean): void {
  log.warn(
    { domains: found.slice(0, MAX_NAMED), count: found.length, lookedAt: isCut ? MAX_LOOKED_AT : undefined },
    `domains have NS records for ${UNSET_NAMESERVER}, which does not exist: replace them with zonewright domain nameservers set --all --replacing ${UNSET_NAMESERVER}`,
  );
}

/** Yields null for each account, and then its domains. */
async function* accountsAndDomains(store: Store): AsyncGenerator<Domain | null> {
  for await (const { id } of pages(
    (page) => store.listAccounts(page),
    (row) => row.id,
  )) {
    yield null;
    yield* pages(
      (page) => store.listDomains(id, page),
      ({ name }) => name,
    );
  }
}

async function* pages<T>(
  read: (page: PageRequest) => Promise<{ readonly rows: readonly T[]; readonly hasAfter: boolean }>,
  keyOf: (row: T) => string,
): AsyncGenerator<T> {
  for (let key: string | null = null; ;) {
    const { rows, hasAfter } = await read({ direction: 'after', key, limit: PAGE_ROWS });
    yield* rows;
    const last = rows.at(-1);
    if (!hasAfter || last === undefined) return;
    key = keyOf(last);
  }
}

async function hasPlaceholder(store: Store, domain: Domain): Promise<boolean> {
  const nameservers = await readApexNameservers({ store }, domain);
  return nameservers.some(({ data }) => data === UNSET_NAMESERVER);
}
