// Keeps drafts and typed texts in the browser (IndexedDB), by user, account and domain, so that nothing typed is lost by leaving,
// reloading or signing in again.
import { countDraft, emptyDraft, type Draft } from './draft.ts';

export interface DraftPlace {
  readonly user: string;
  readonly account: string;
  readonly domain: string;
}

const DATABASE = 'zonewright';
const STORE = 'drafts';

let opening: Promise<IDBDatabase> | undefined;

function openDatabase(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(reasonOf(request.error));
  });
  return opening;
}

async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openDatabase();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode);
    const request = act(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(reasonOf(transaction.error));
  });
}

function reasonOf(error: DOMException | null): Error {
  return error ?? new Error('the browser keeps no drafts');
}

/** Text that was typed at a place and is not staged, beside its draft. */
export type TypedPart = 'import';

function keyOf({ user, account, domain }: DraftPlace, ...part: TypedPart[]): string[] {
  return [user, account, domain, ...part];
}

export async function readDraft(place: DraftPlace): Promise<Draft> {
  const found = await run<unknown>('readonly', (store) => store.get(keyOf(place)));
  return (found as Draft | undefined) ?? emptyDraft;
}

/** Edits what is kept, which another window may have edited a moment ago. @returns what is kept now */
export async function updateDraft(place: DraftPlace, edit: (draft: Draft) => Draft): Promise<Draft> {
  const database = await openDatabase();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, 'readwrite');
    const store = transaction.objectStore(STORE);
    const reading: IDBRequest<unknown> = store.get(keyOf(place));
    let next = emptyDraft;
    reading.onsuccess = () => {
      next = edit((reading.result as Draft | undefined) ?? emptyDraft);
      const isEmpty = countDraft(next).all === 0 && next.sent === undefined;
      if (isEmpty) store.delete(keyOf(place));
      else store.put(next, keyOf(place));
    };
    transaction.oncomplete = () => resolve(next);
    transaction.onabort = () => reject(reasonOf(transaction.error));
  });
}

export async function readTyped(place: DraftPlace, part: TypedPart): Promise<unknown> {
  return run<unknown>('readonly', (store) => store.get(keyOf(place, part)));
}

/** @param value undefined: nothing is typed any more */
export async function keepTyped(place: DraftPlace, part: TypedPart, value: unknown): Promise<void> {
  const key = keyOf(place, part);
  if (value === undefined) await run('readwrite', (store) => store.delete(key));
  else await run('readwrite', (store) => store.put(value, key));
}

/** The places at which a user has staged or typed something. */
export async function listDrafts(user: string): Promise<readonly DraftPlace[]> {
  const keys = await run('readonly', (store) => store.getAllKeys(rangeOf(user)));
  const places = (keys as [string, string, string][]).map(
    ([, account, domain]) => [`${account} ${domain}`, { user, account, domain }] as const,
  );
  return [...new Map(places).values()];
}

export async function discardDrafts(user: string): Promise<void> {
  await run('readwrite', (store) => store.delete(rangeOf(user)));
}

/** Arrays sort behind all strings. */
function rangeOf(user: string): IDBKeyRange {
  return IDBKeyRange.bound([user], [user, []]);
}
