import type { AwaitingDomain, SigningReads } from '../../store/signing-reads.ts';
import { readPages } from '../read-pages.ts';

/** The most domains that are signalled at a time; those that began to wait last come first. */
export const MAX_WATCHED = 100_000;

/** The most domains of one account, so that nobody's domains push out those of all others. */
export const MAX_WATCHED_OF_ACCOUNT = 10_000;

/** Rows that are read at most: those of an account beyond its share are passed over. */
const MAX_READ = 2 * MAX_WATCHED;

/** Rows of one query. */
const PAGE_ROWS = 1000;

export interface Watched {
  readonly domains: readonly AwaitingDomain[];
  /** Whether there are more that wait; they have no signals. */
  readonly isCut: boolean;
}

/** Limits are for tests. */
export interface WatchedLimits {
  readonly watched: number;
  readonly ofAccount: number;
}

const defaultLimits: WatchedLimits = { watched: MAX_WATCHED, ofAccount: MAX_WATCHED_OF_ACCOUNT };

/** Finds the domains that wait for their first DS record and are signalled meanwhile. */
export async function findWatched(
  signing: Pick<SigningReads, 'domainsAwaitingDs'>,
  { watched, ofAccount }: WatchedLimits = defaultLimits,
): Promise<Watched> {
  const domains: AwaitingDomain[] = [];
  const byAccount = new Map<string, number>();
  let isCut = false;
  let read = 0;
  const pages = readPages(PAGE_ROWS, (last: AwaitingDomain | undefined) =>
    signing.domainsAwaitingDs(PAGE_ROWS, last),
  );
  for await (const page of pages) {
    for (const domain of page) {
      const count = byAccount.get(domain.accountId) ?? 0;
      if (domains.length === watched) return { domains, isCut: true };
      byAccount.set(domain.accountId, count + 1);
      if (count < ofAccount) domains.push(domain);
      else isCut = true;
    }
    read += PAGE_ROWS;
    if (page.length === PAGE_ROWS && read >= MAX_READ) return { domains, isCut: true };
  }
  return { domains, isCut };
}
