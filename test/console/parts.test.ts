import { expect, test } from 'vitest';
import { call, openConsole } from './console-page.ts';
import { apply, edit, openRecords, record, review, watchRequests } from './record-pages.ts';

/* The files of the console, which can be gone after an upgrade, and the lists that are long. */

const here = await openConsole();

test('a missing part of the page loads the page again once, and then says so', async () => {
  const { page, domain } = await openRecords(here);
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads++;
  });
  await page.route(/review-page-.*\.js$/, (route) => route.abort());
  await page.goto(`/d/${domain}/review`);
  await page.getByRole('heading', { name: 'A part of this page could not be loaded' }).waitFor();
  expect(loads).toBe(2);
  await page.unroute(/review-page-.*\.js$/);
  await page.getByRole('button', { name: 'Load the page again' }).click();
  await page.getByText('Nothing is staged').waitFor();
});

test('while a proxy answers in place of the service, a missing part does not load the page again', async () => {
  const { page, domain } = await openRecords(here);
  await page.waitForLoadState('networkidle');
  await page.route(/nameservers-page-.*\.js$|\/v2\/session$/, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  );
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads++;
  });
  await page.getByRole('main').getByRole('link', { name: 'Nameservers' }).click();
  await page.getByRole('heading', { name: 'A part of this page could not be loaded' }).waitFor();
  expect(loads).toBe(0);
  await page.unroute(/nameservers-page-.*\.js$|\/v2\/session$/);
  await page.getByRole('button', { name: 'Load the page again' }).click();
  await page.getByRole('heading', { name: 'Tell your registrar' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/d/${domain}/nameservers`);
});

test('without a connection, the review is there, and another part waits for the connection', async () => {
  const { page } = await openRecords(here);
  await page.waitForLoadState('networkidle');
  await page.getByRole('rowheader', { name: '@' }).first().focus();
  await page.keyboard.press('Delete');
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByLabel('Note for the history').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Nameservers' }).click();
  await page.getByText('You are offline').first().waitFor();
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Tell your registrar' }).waitFor();
});

test('the list of domains is read once, also for a domain that is added and deleted', async () => {
  const { page, domain } = await openRecords(here);
  await page.goto('/domains');
  await page.getByRole('link', { name: domain }).waitFor();
  const requests = watchRequests(page);
  await page.getByRole('button', { name: 'Add domain' }).first().click();
  await page.getByLabel('Domain name').fill('added.example');
  await page.getByText('added.example can be added.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
  await page.getByRole('grid', { name: 'Records of added.example' }).waitFor();
  await page.getByRole('link', { name: 'Domains', exact: true }).click();
  await page.getByRole('link', { name: 'added.example' }).waitFor();
  await page.getByRole('button', { name: 'Actions for added.example' }).click();
  await page.getByRole('menuitem', { name: 'Delete domain' }).click();
  await page.getByLabel(/^Type added.example/).fill('added.example');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete domain' }).click();
  await page.getByText('added.example is deleted.').waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'added.example' }).count()).toBe(0);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await page.getByRole('button', { name: 'Restore it' }).click();
  await page.getByRole('link', { name: 'added.example' }).waitFor();
  expect(requests.filter((request) => request === 'GET /domains')).toEqual([]);
});

test('a domain that was deleted is restored from the list of deleted domains, with its records and what was staged', async () => {
  const { page, domain } = await openRecords(here, [record('www', '192.0.2.7')]);
  await edit(page, 'www', () => page.getByLabel('TTL').fill('60'));
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete domain' }).click();
  await page.getByLabel(`Type ${domain}`).fill(domain);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete domain' }).click();
  await page.waitForURL('**/domains');
  expect(await here.service.dns.look(`www.${domain}`, 'A')).toBe('REFUSED');
  await page.getByRole('link', { name: 'Deleted' }).click();
  await page
    .getByRole('listitem')
    .filter({ hasText: domain })
    .getByRole('button', { name: 'Restore' })
    .click();
  await page.getByText(`${domain} is restored with all its records.`).waitFor();
  await page.getByRole('button', { name: 'Open it' }).click();
  await page.getByRole('rowheader', { name: 'www' }).waitFor();
  await page.getByText('1 change staged. Nothing is live yet.').waitFor();
  await expect.poll(() => page.getByText('has changed since').count()).toBe(0);
  await review(page);
  await apply(page, 1);
  await page.getByText('1 change is applied.').waitFor();
  expect((await here.service.dns.ask(`www.${domain}`, 'A')).answers.map(({ ttl }) => ttl)).toEqual([60]);
});

test('a list of domains whose loading stops half-way says so, and can be loaded', async () => {
  const { page } = await openRecords(here);
  const names = Array.from({ length: 501 }, (_, index) => `many${index}.example`);
  for (let at = 0; at < names.length; at += 20)
    await Promise.all(
      names.slice(at, at + 20).map((domain) => call(here.service, 'POST', '/v2/domains', { domain })),
    );
  await page.route(/cursor=/, (route) => route.abort());
  await page.goto('/domains');
  await page.getByText('Only 500 domains are loaded').waitFor();
  await page.getByText('500 domains, not all are loaded').waitFor();
  await page.getByRole('searchbox').fill('zzz');
  await page.getByText('None of the domains that are loaded matches').waitFor();
  await page.unroute(/cursor=/);
  await page.getByRole('button', { name: 'Load all domains' }).click();
  await page.getByText('No domain matches “zzz”.').waitFor();
});
