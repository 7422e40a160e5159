import { ownerToken } from '../harness/people.ts';
import type { Service } from '../harness/service.ts';
import { call, joinAs, originOf, type ConsoleTest, type Page } from './console-page.ts';

/* The records of a domain in the console, and what others do to them meanwhile. */

export interface RecordPage {
  readonly page: Page;
  readonly domain: string;
  /** The address of the user who has signed in. */
  readonly email: string;
}

let count = 0;

/** A page with the records of a new domain, for a new user. */
export async function openRecords(
  { service, open }: ConsoleTest,
  records: readonly object[] = [],
): Promise<RecordPage> {
  const domain = `records${++count}.example`;
  const email = `r${count}@example.net`;
  await call(service, 'POST', '/v2/domains', { domain, ip: '192.0.2.1' });
  for (let at = 0; at < records.length; at += MAX_CHANGES) {
    const create = records.slice(at, at + MAX_CHANGES);
    await call(service, 'POST', `/v2/domains/${domain}/batch`, { create });
  }
  const page = await open();
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, email);
  await page.goto(`/d/${domain}/records`);
  await page.getByRole('grid').waitFor();
  return { page, domain, email };
}

/** The most that one batch takes. */
const MAX_CHANGES = 10_000;

export function record(name: string, data: string, type = 'A'): object {
  return { type, name, data, ttl: 3600 };
}

/** Stages a change of a record. */
export async function edit(page: Page, name: string, change: () => Promise<void>): Promise<void> {
  await page.getByRole('rowheader', { name }).dblclick();
  await page.getByRole('dialog').waitFor();
  await change();
  await page.getByRole('button', { name: 'Stage', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/**
 * Waits until the browser keeps what is staged: a page that is loaded again in the same moment, faster than any person, can lose the
 * last step. Transactions are in order, so that this one ends behind those that write.
 */
export async function untilKept(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('zonewright');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('drafts', 'readonly');
      transaction.objectStore('drafts').count();
      transaction.oncomplete = () => {
        opening.result.close();
        resolve();
      };
    };
  })`);
}

async function idOf(service: Pick<Service, 'http'>, domain: string, name: string): Promise<string> {
  const { json } = await service.http.get(`/v2/domains/${domain}/records?name=${name}`);
  return json.records?.find((row) => row.name === name)?.id ?? '';
}

/** Somebody else changes a record. */
export async function changeElsewhere(
  service: Pick<Service, 'http'>,
  domain: string,
  name: string,
  change: object,
): Promise<void> {
  const id = await idOf(service, domain, name);
  await call(service, 'PATCH', `/v2/domains/${domain}/records/${id}`, change);
}

export async function deleteElsewhere(service: Service, domain: string, name: string): Promise<void> {
  await call(service, 'DELETE', `/v2/domains/${domain}/records/${await idOf(service, domain, name)}`);
}

export async function review(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Review' }).first().click();
}

/** Presses the button once the changes are checked. */
export async function apply(page: Page, count: number): Promise<void> {
  const label = count === 1 ? 'Apply 1 change' : `Apply ${count} changes`;
  const button = page.getByRole('button', { name: label }).and(page.locator(':not([aria-disabled])'));
  await button.click();
}

/** Notes the requests of a page under `/v2`, as `GET /domains`. */
export function watchRequests(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v2/')) seen.push(`${request.method()} ${pathname.slice('/v2'.length)}`);
  });
  return seen;
}

interface HeldBack {
  /** Resolves with the first request. */
  readonly isAsked: Promise<void>;
  readonly letGo: () => void;
}

/** Keeps requests from the service until they are let go. @param passing so many go through before */
export async function holdBack(page: Page, address: RegExp, passing = 0): Promise<HeldBack> {
  let letGo = (): void => undefined;
  const isFree = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let ask = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  let seen = 0;
  await page.route(address, async (route) => {
    if (seen++ >= passing) {
      ask();
      await isFree;
    }
    await route.continue().catch(() => undefined);
  });
  return { isAsked, letGo: () => letGo() };
}
