import { expect, test } from 'vitest';
import { ownerToken } from '../harness/people.ts';
import { call, joinAs, joinInvited, openConsole, originOf, type Page } from './console-page.ts';
import { holdBack, watchRequests } from './record-pages.ts';

/* Ctrl-K finds places, pages, domains and records, and leads to them. */

const { service, open } = await openConsole();
await call(service, 'POST', '/v2/domains', { domain: 'example.com', ip: '192.0.2.1' });
await call(service, 'POST', '/v2/domains', { domain: 'xn--mnchen-3ya.example', ip: '192.0.2.77' });
for (let index = 0; index < 10; index++)
  await call(service, 'POST', '/v2/domains', { domain: `many${index}.test` });
await call(service, 'POST', '/v2/domains/example.com/batch', {
  create: [
    { type: 'MX', name: '', data: 'mail.example.net', priority: 10, ttl: 3600 },
    { type: 'MX', name: '', data: 'mail2.example.net', priority: 20, ttl: 3600 },
    ...Array.from({ length: 130 }, (_, index) => ({
      type: 'A',
      name: `host${index}`,
      data: `198.51.100.${index}`,
      ttl: 300,
    })),
  ],
});

async function openOwner(email: string, path = '/domains'): Promise<Page> {
  const page = await open();
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, email);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.getByRole('button', { name: 'Find everything' }).first().waitFor();
  return page;
}

function field(page: Page) {
  return page.getByRole('combobox', { name: 'Find everything' });
}

/** Opens the palette by its key and types. */
async function find(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await withFocus(page, field(page)).waitFor();
  await page.keyboard.type(typed);
}

/** The entry that Enter opens, as screen readers find it. */
async function activeEntry(page: Page): Promise<string> {
  const id = await field(page).getAttribute('aria-activedescendant');
  return page.locator(`[id="${id ?? ''}"][role=option][aria-selected=true]`).innerText();
}

function withFocus(page: Page, element: ReturnType<typeof field>) {
  return element.and(page.locator(':focus'));
}

function focused(page: Page): Promise<string> {
  return page.evaluate(
    "document.activeElement.id || document.activeElement.getAttribute('aria-label') || ''",
  );
}

test('a domain is found in both forms of its name and opened by keyboard alone, and the focus goes to its page', async () => {
  const page = await openOwner('domains@example.net');
  await find(page, 'MÜNCHEN');
  await expect.poll(() => activeEntry(page)).toContain('xn--mnchen-3ya.example');
  await field(page).fill('xn--mnchen');
  await expect.poll(() => activeEntry(page)).toContain('münchen.example');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/d/xn--mnchen-3ya.example/records');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused(page)).toBe('main');
});

test('a record is found in all domains, and leads to its page with the filter in the address', async () => {
  const page = await openOwner('records@example.net');
  await find(page, 'mail.example.net');
  await page.getByRole('option', { name: '10 mail.example.net' }).click();
  await page.getByRole('grid', { name: 'Records of example.com' }).waitFor();
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toEqual({ type: 'MX', name: '@', data: '10 mail.example.net' });
  await page
    .getByText(/^1 of \d+ records$/)
    .first()
    .waitFor();
});

test('arrows choose and go round, and pages of the domain that is open come first', async () => {
  const page = await openOwner('arrows@example.net', '/d/example.com/records');
  await find(page, '');
  await page.getByRole('option', { name: 'Show all 12' }).waitFor();
  expect(await activeEntry(page)).toBe('Records');
  await page.keyboard.press('ArrowDown');
  expect(await activeEntry(page)).toBe('History');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await activeEntry(page)).toBe('Show all 12');
  await page.keyboard.press('PageDown');
  expect(await activeEntry(page)).toBe('Show all 12');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type('dns');
  await expect.poll(() => activeEntry(page)).toBe('DNSSEC');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign the domain' }).waitFor();
});

test('places are found by words, and more domains than fit by their page', async () => {
  const page = await openOwner('places@example.net');
  await find(page, 'key new');
  await expect.poll(() => activeEntry(page)).toBe('New key');
  await field(page).fill('many');
  await page.getByRole('option', { name: 'Show all 10' }).click();
  await page.waitForURL('**/domains?search=many');
  await page.getByText('10 domains').waitFor();
});

test('Esc closes it, and the focus is where it was; a second Ctrl-K and other windows leave it alone', async () => {
  const page = await openOwner('focus@example.net', '/d/example.com/records');
  await page.getByRole('grid').waitFor();
  const cell = page.getByRole('rowheader', { name: 'host1', exact: true });
  await cell.focus();
  await find(page, 'host');
  await page.keyboard.press('Control+k');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
  expect(await field(page).inputValue()).toBe('host');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await withFocus(page, cell).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Control+k');
  await expect.poll(() => field(page).count()).toBe(0);
});

test('a search waits until nobody types, is given up when typing goes on, and says how many are not shown', async () => {
  const page = await openOwner('search@example.net');
  await find(page, 'h');
  await page.getByText('Records are searched from two characters on.').first().waitFor();
  const requests = watchRequests(page);
  const givenUp: string[] = [];
  page.on('requestfailed', (request) => givenUp.push(new URL(request.url()).search));
  const held = await holdBack(page, /\/v2\/records\?search=host1&/);
  await page.keyboard.type('ost1');
  await held.isAsked;
  await page.getByText('Searching all records…').first().waitFor();
  await page.keyboard.press('Backspace');
  await expect.poll(() => givenUp).toEqual([expect.stringContaining('search=host1&')]);
  held.letGo();
  await page.getByText('20 of 130 records are shown').first().waitFor();
  expect(requests.filter((request) => request === 'GET /records')).toHaveLength(2);
  await page.getByText('Show request').click();
  await page.getByText('zonewright record search host').waitFor();
});

test('all records that match are on a page of their own, as many as somebody asks for', async () => {
  const page = await openOwner('all@example.net');
  await find(page, 'host');
  await page.getByRole('option', { name: 'Show all 130 records' }).click();
  await page.waitForURL('**/search?q=host');
  await page.getByRole('status').getByText('130 records').waitFor();
  const list = page.getByRole('list', { name: 'Records that were found' });
  expect(await list.getByRole('listitem').first().getAttribute('aria-setsize')).toBe('100');
  await page.getByRole('button', { name: 'Show more' }).click();
  await list.locator('[aria-setsize="130"]').first().waitFor();
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  const input = page.getByRole('searchbox', { name: 'Find records in all domains' });
  await input.fill('192.0.2.77');
  await page.waitForURL('**/search?q=192.0.2.77');
  await list.getByRole('link', { name: 'münchen.example' }).click();
  await page.waitForURL('**/d/xn--mnchen-3ya.example/records?*');
  await page.goBack();
  await input.fill('mial');
  await page.getByText('Nothing matches “mial”.').waitFor();
  await input.fill('m');
  await page.getByText('Type part of a name or of data').waitFor();
});

test('what matches nothing and what fails is said in words, with a way on', async () => {
  const page = await openOwner('errors@example.net');
  await find(page, 'mial');
  await page.getByText('Nothing matches “mial”.').first().waitFor();
  expect(await field(page).getAttribute('aria-expanded')).toBe('false');
  await page.route('**/v2/records?*', (route) =>
    route.fulfill({ status: 500, json: { error: 'The disk is gone', code: 'internal', status: 500 } }),
  );
  await field(page).fill('host');
  await page.getByRole('alert').getByText('The disk is gone.').waitFor();
  // The sentence for screen readers follows half a second later.
  await expect.poll(() => page.getByText('Nothing matches').count()).toBe(0);
  await page.unroute('**/v2/records?*');
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.getByRole('option', { name: 'host0.example.com' }).waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
});

test('with touch, a button opens it and another closes it', async () => {
  const page = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, 'touch@example.net');
  await page.goto('/keys');
  await page.getByRole('button', { name: 'Find everything' }).tap();
  await withFocus(page, field(page)).waitFor();
  await page.getByRole('button', { name: 'Close' }).tap();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused(page)).toBe('Find everything');
  await page.getByRole('button', { name: 'Find everything' }).tap();
  await field(page).fill('host77');
  await page.getByRole('option', { name: '198.51.100.77' }).tap();
  await page.getByRole('grid', { name: 'Records of example.com' }).waitFor();
});

test('users of single domains find these, and learn why they find no records', async () => {
  const page = await open();
  const grants = [{ role: 'viewer', domains: ['example.com'] }];
  await joinInvited(service, page, { grants }, 'grants@example.net');
  await page.goto('/domains');
  await page.getByRole('link', { name: 'example.com' }).waitFor();
  const requests = watchRequests(page);
  await find(page, 'example');
  await expect.poll(() => activeEntry(page)).toBe('example.com');
  await page.getByText('only users of the whole account find records').first().waitFor();
  await expect.poll(() => page.getByRole('option').count()).toBe(1);
  await field(page).fill('key');
  await page.getByText('Nothing matches “key”.').first().waitFor();
  expect(requests).not.toContain('GET /records');
});
