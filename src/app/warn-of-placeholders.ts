// Looks for domains that still have the placeholder of an unset nameserver, which nobody can resolve, and logs them once.
import type { Logger } from 'pino';
import { rrType } from '../dns/codes.ts';
import { APEX } from '../model/record-name.ts';
import type { Domain } from '../model/domain.ts';
import type { PageRequest, Store } from '../store/store.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import { UNSET_NAMESERVER } from '../model/unset-nameserver.ts';

type ReadableStore = Pick<Store, 'listAccounts' | 'listDomains' | 'listRecords'>;

/** Domains that are looked at: a second of short reads, one after the other. Larger services have configured theirs. */
const MAX_DOMAINS = 1000;

/** Names in the log line. */
const MAX_NAMED = 5;

const PAGE_ROWS = 100;

/** Never fails: a store that is away is reported elsewhere. */
export async function warnOfPlaceholders(store: ReadableStore, log: Logger): Promise<void> {
  try {
    const found: string[] = [];
    let looked = 0;
    for await (const domain of firstDomains(store)) {
      if (++looked > MAX_DOMAINS) break;
      if (await hasPlaceholder(store, domain)) found.push(domain.name);
    }
    if (found.length > 0) logFound(log, found, looked > MAX_DOMAINS);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

function logFound(log: Logger, found: readonly string[], isCut: boolean): void {
  log.warn(
    { domains: found.slice(0, MAX_NAMED), count: found.length, first: isCut ? MAX_DOMAINS : undefined },
    `domains have NS records for ${UNSET_NAMESERVER}, which does not exist: replace them with zonewright domain nameservers set --all --replacing ${UNSET_NAMESERVER}`,
  );
}

async function* firstDomains(store: ReadableStore): AsyncGenerator<Domain> {
  for await (const { id } of pages(
    (page) => store.listAccounts(page),
    (row) => row.id,
  ))
    yield* pages(
      (page) => store.listDomains(id, page),
      ({ name }) => name,
    );
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

async function hasPlaceholder(store: ReadableStore, domain: Domain): Promise<boolean> {
  const page = { direction: 'after', key: null, limit: PAGE_ROWS } as const;
  const { rows } = await store.listRecords(domain, page, { owner: APEX, type: rrType.NS });
  return rows.some(({ data }) => data.toLowerCase().replace(/\.$/, '') === UNSET_NAMESERVER);
}
