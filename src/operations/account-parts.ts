// All that an account has, part by part, as it is read for the export of the account (contract rule 84):
//
//     account ─▶ keys ─▶ users ─▶ invitations ─▶ trail ─▶ deleted domains ─▶ for each domain: row ─▶ records ─▶ zone file ─▶ history
//
// A domain is read as of one moment. A small one is read before any of it is sent, a larger one at the speed of the client,
// twice: the size of its zone file has to be known when the file begins. Lists are read in slices, and nothing is kept.
import { serialLead } from '../dns/serial.ts';
import type { Account, ApiKey } from '../model/account.ts';
import type { DeletedDomain, Domain } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import { refused, type Refused, type Result } from '../model/result.ts';
import type { NumberedTrailEntry } from '../model/trail-entry.ts';
import type { Invitation, Member } from '../model/user.ts';
import type { HistoryEntry } from '../writes/history-entry.ts';
import { hasUse, keyUse } from '../dnssec/zone-key.ts';
import { pause } from '../signer/watch-options.ts';
import type { Page, PageRequest } from '../store/store.ts';
import type { TrailPlace, TrailSlice } from '../store/trail-reads.ts';
import type { ZoneView } from '../store/zone-view.ts';
import { StoreBusy } from '../writes/store-errors.ts';
import type { LimitsOverview } from './account-limits.ts';
import { formatZoneHead, formatZoneRecords } from './export-zone.ts';
import { listKey, type ListedZoneKey } from './list-zone-keys.ts';
import type { OperationContext } from './operation-context.ts';
import { checkClient } from './run-for-client.ts';
import { isSmallZone } from './stream-zone.ts';

/** Rows of a list come in several parts; a domain is followed by its records, its zone file and its history. */
export type AccountPart =
  | {
      readonly kind: 'account';
      readonly account: Account;
      readonly overview: LimitsOverview;
      readonly atMs: number;
    }
  | { readonly kind: 'keys'; readonly rows: readonly ApiKey[] }
  | { readonly kind: 'users'; readonly rows: readonly Member[] }
  | { readonly kind: 'invitations'; readonly rows: readonly Invitation[] }
  | { readonly kind: 'trail'; readonly rows: readonly NumberedTrailEntry[] }
  | { readonly kind: 'deletedDomains'; readonly rows: readonly DeletedDomain[] }
  | { readonly kind: 'domain'; readonly domain: Domain; readonly keys: readonly ListedZoneKey[] }
  | { readonly kind: 'records'; readonly rows: readonly DomainRecord[] }
  | { readonly kind: 'zoneFile'; readonly sizeBytes: number; readonly text: AsyncIterable<string> }
  | { readonly kind: 'history'; readonly rows: readonly HistoryEntry[] };

export type AccountParts = AsyncGenerator<AccountPart, void, undefined>;

/**
 * Reads everything of the account but the row of the account itself. Rejects with `StoreUnavailable` and `StoreBusy`.
 *
 * @param gone the signal that the client has gone
 */
export async function* readAccountParts(
  context: OperationContext,
  accountId: string,
  gone: AbortSignal,
): AccountParts {
  const { store } = context;
  for await (const rows of pagesOf(
    (page) => store.listKeys(accountId, page),
    ({ id }) => id,
  ))
    yield { kind: 'keys', rows };
  yield { kind: 'users', rows: await readMembers(context, accountId) };
  yield { kind: 'invitations', rows: await store.people.find('invitations', 'accountId', [accountId]) };
  for await (const rows of readTrail(context, accountId, gone)) yield { kind: 'trail', rows };
  for (let last: DeletedDomain | undefined; ;) {
    const rows: readonly DeletedDomain[] = await store.accounts.deletedBefore(accountId, last);
    if (rows.length > 0) yield { kind: 'deletedDomains', rows };
    last = rows.at(-1);
    if (last === undefined) break;
  }
  for await (const domains of pagesOf(
    (page) => store.listDomains(accountId, page),
    ({ name }) => name,
  ))
    for (const domain of domains) yield* atEase(context, readDomain(context, domain, gone), gone);
}

/** Half a megabyte of rows at most. */
const PAGE_ROWS = 500;

async function* pagesOf<Row>(
  read: (page: PageRequest) => Promise<Page<Row>>,
  keyOf: (row: Row) => string,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (let key: string | null = null; ;) {
    const page: Page<Row> = await read({ direction: 'after', key, limit: PAGE_ROWS });
    const last = page.rows.at(-1);
    if (last === undefined) return;
    yield page.rows;
    key = keyOf(last);
  }
}

/** Up to now, earliest first. */
async function* readTrail(
  { store, clock }: OperationContext,
  accountId: string,
  gone: AbortSignal,
): AsyncGenerator<readonly NumberedTrailEntry[], void, undefined> {
  const filter = { accountId, untilMs: clock.nowMs() };
  for (let from: TrailPlace | null = { atMs: 0, id: 0 }; from !== null;) {
    const slice: TrailSlice = await store.trail.slice(accountId, filter, from, () => gone);
    if (slice.entries.length > 0) yield slice.entries;
    from = slice.next;
  }
}

async function readMembers({ store }: OperationContext, accountId: string): Promise<readonly Member[]> {
  const memberships = await store.people.find('memberships', 'accountId', [accountId]);
  const ids = memberships.map(({ userId }) => userId);
  const users = new Map((await store.people.find('users', 'id', ids)).map((user) => [user.id, user]));
  return memberships.flatMap((membership) => {
    const user = users.get(membership.userId);
    return user === undefined ? [] : [{ user, membership }];
  });
}

/** A domain that is deleted meanwhile is left out. */
async function* readDomain(context: OperationContext, listed: Domain, gone: AbortSignal): AccountParts {
  const small = isSmallZone(listed) ? await openView(context, listed, 'small', gone) : undefined;
  // It may have grown since it was listed.
  const isSmall = small !== undefined && isSmallZone(small.domain);
  if (!isSmall) await small?.close();
  const view = isSmall ? small : await openView(context, listed, 'large', gone);
  if (view === undefined) return;
  const { domain } = view;
  try {
    yield { kind: 'domain', domain, keys: await readZoneKeys(context, domain) };
    yield* isSmall ? readSmall(context, view) : readLarge(context, view);
  } finally {
    await view.close();
  }
  yield* readHistory(context, domain);
}

/** So often, a domain waits for room beside the exports of others, each time for some seconds. */
const MAX_ATTEMPTS = 30;

/** Between two attempts. */
const ATTEMPT_PAUSE_MS = 1000;

/** Returns undefined if there is no such domain any more. */
async function openView(
  { zoneViews }: OperationContext,
  { accountId, name }: Domain,
  size: 'small' | 'large',
  gone: AbortSignal,
): Promise<ZoneView | undefined> {
  const open = (): Promise<Result<ZoneView>> =>
    size === 'small'
      ? zoneViews.openBriefly(accountId, name)
      : zoneViews.open(accountId, name, () => gone, 2);
  for (let attempt = 1; ; attempt++) {
    const opened = await open().catch(refuseBusy);
    if (opened.ok) return opened.value;
    if (opened.refusal.code !== 'busy') return undefined;
    if (attempt === MAX_ATTEMPTS) throw new StoreBusy(opened.refusal.message);
    await rest(ATTEMPT_PAUSE_MS, gone);
  }
}

function refuseBusy(error: unknown): Refused {
  if (error instanceof StoreBusy) return refused('busy', error.message);
  throw error;
}

/** @throws StoreBusy if the client has gone, which nobody receives */
async function rest(ms: number, gone: AbortSignal): Promise<void> {
  await pause(ms, gone);
  checkClient(gone);
}

async function readZoneKeys({ store }: OperationContext, domain: Domain): Promise<readonly ListedZoneKey[]> {
  const keys = domain.denial === null ? [] : await store.signing.zoneKeys(domain);
  return keys.map((key) => listKey(domain.name, { ...key, isAnnounced: hasUse(key, keyUse.ANNOUNCED) }));
}

/** The view is closed before anything is sent. */
async function* readSmall(context: OperationContext, view: ZoneView): AccountParts {
  const { domain } = view;
  const pieces = [formatZoneHead(context, domain)];
  const records: DomainRecord[] = [];
  for await (const slice of view.slices()) {
    pieces.push(formatZoneRecords(domain.name, slice));
    for (const record of slice) records.push(record);
  }
  await view.close();
  if (records.length > 0) yield { kind: 'records', rows: records };
  const text = pieces.join('');
  yield { kind: 'zoneFile', sizeBytes: Buffer.byteLength(text), text: asPieces([text]) };
}

async function* readLarge(context: OperationContext, view: ZoneView): AccountParts {
  const { domain } = view;
  const head = formatZoneHead(context, domain);
  let sizeBytes = Buffer.byteLength(head);
  for await (const rows of view.slices()) {
    sizeBytes += Buffer.byteLength(formatZoneRecords(domain.name, rows));
    yield { kind: 'records', rows };
  }
  const text = async function* (): AsyncGenerator<string, void, undefined> {
    yield head;
    for await (const rows of view.slices()) yield formatZoneRecords(domain.name, rows);
  };
  yield { kind: 'zoneFile', sizeBytes, text: text() };
}

/** As of the moment at which the domain was read. */
async function* readHistory({ store }: OperationContext, domain: Domain): AccountParts {
  for (let before: number | undefined; ;) {
    const { entries, next } = await store.accounts.historyBefore(domain, before);
    const rows = entries.filter(({ serial }) => serialLead(serial, domain.serial) <= 0);
    if (rows.length > 0) yield { kind: 'history', rows };
    if (next === undefined) return;
    before = next;
  }
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* asPieces(pieces: readonly string[]): AsyncGenerator<string, void, undefined> {
  yield* pieces;
}

/** The longest rest after one part. */
const LONGEST_REST_MS = 100;

/** Rests for as long as reading takes, so that a long export leaves half of the processor to others. */
async function* atEase(
  { monotonic }: OperationContext,
  parts: AccountParts,
  gone: AbortSignal,
): AccountParts {
  try {
    for (;;) {
      const startedMs = monotonic.elapsedMs();
      const part = await parts.next();
      if (part.done === true) return;
      const tookMs = monotonic.elapsedMs() - startedMs;
      yield part.value;
      await rest(Math.min(tookMs, LONGEST_REST_MS), gone);
    }
  } finally {
    await parts.return();
  }
}
