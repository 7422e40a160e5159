import { expect, test } from 'vitest';
import { openConsole } from './console-page.ts';
import { openRecords, watchRequests } from './record-pages.ts';

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
  await page.getByRole('link', { name: 'Nameservers' }).click();
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
  await page.getByRole('link', { name: 'Nameservers' }).click();
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
  expect(await page.getByRole('link', { name: 'added.example' }).count()).toBe(0);
  await page.evaluate(
    "dispatchEvent(new Event('focus')); document.dispatchEvent(new Event('visibilitychange'))",
  );
  await page.getByRole('button', { name: 'Restore it' }).click();
  await page.getByRole('link', { name: 'added.example' }).waitFor();
  expect(requests.filter((request) => request === 'GET /domains')).toEqual([]);
});
