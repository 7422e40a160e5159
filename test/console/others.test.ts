import { expect, test } from 'vitest';
import { openConsole } from './console-page.ts';
import {
  apply,
  changeElsewhere,
  deleteElsewhere,
  edit,
  holdBack,
  openRecords,
  record,
  review,
  untilKept,
  watchRequests,
} from './record-pages.ts';

/* Changes that others make meanwhile are neither overwritten nor lost, whichever way leads back to the page. */

const here = await openConsole();
const { service } = here;

test('a change of others is asked about after the page was loaded again, left, or shown', async () => {
  const { page, domain } = await openRecords(here, [record('www', '192.0.2.1'), record('gone', '192.0.2.2')]);
  await edit(page, 'www', () => page.getByLabel('Address').fill('192.0.2.10'));
  await edit(page, 'gone', () => page.getByLabel('TTL').fill('60'));
  await changeElsewhere(service, domain, 'www', { data: '192.0.2.99' });
  await deleteElsewhere(service, domain, 'gone');
  await untilKept(page);
  await page.reload();
  await page.getByText('2 to choose').waitFor();
  // Another edit does not hide the question.
  await edit(page, 'www', () => page.getByLabel('TTL').fill('60'));
  await review(page);
  await page.getByRole('heading', { name: '2 to choose' }).waitFor();
  await page.getByRole('link', { name: 'Records', exact: true }).click();
  await page.getByRole('grid').waitFor();
  await review(page);
  await page.getByRole('heading', { name: '2 to choose' }).waitFor();
  expect(await service.dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.99']);
  await page
    .getByRole('listitem')
    .filter({ hasText: 'gone' })
    .getByRole('button', { name: 'Keep mine' })
    .click();
  await page.getByRole('heading', { name: '1 to choose' }).waitFor();
  // The choice stays.
  await untilKept(page);
  await page.reload();
  await page.getByRole('heading', { name: '1 to choose' }).waitFor();
  await page.getByRole('button', { name: 'Take what is there' }).click();
  await apply(page, 1);
  await page.getByText('1 change is applied.').waitFor();
  expect(await service.dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.99']);
  expect(await service.dns.look(`gone.${domain}`, 'A')).toEqual(['192.0.2.2']);
});

test('with a thousand records, a change of others costs a few requests, and the second Apply works', async () => {
  const many = Array.from({ length: 1_200 }, (_, index) => record(`h${index}`, '192.0.2.50'));
  const { page, domain } = await openRecords(here, [
    record('aa', '192.0.2.1'),
    record('ab', '192.0.2.2'),
    ...many,
  ]);
  await page.getByText('1,205 records').first().waitFor();
  for (const [name, data] of [
    ['aa', '192.0.2.11'],
    ['ab', '192.0.2.22'],
  ] as const) {
    await edit(page, name, () => page.getByLabel('Address').fill(data));
    await changeElsewhere(service, domain, 'h7', { data });
    const requests = watchRequests(page);
    await review(page);
    await apply(page, 1);
    await page.getByText('1 change is applied.').waitFor();
    expect(await service.dns.look(`${name}.${domain}`, 'A')).toEqual([data]);
    expect(requests.filter((request) => request.endsWith('/records'))).toEqual([]);
    expect(requests.length).toBeLessThan(15);
    await page.getByRole('link', { name: 'Go to the records' }).click();
  }
  await page.getByRole('searchbox').fill('h7');
  await page.getByText('192.0.2.22').first().waitFor();
});

test('while the domain changes all the time, the check is repeated a few times and then asks', async () => {
  const { page, domain } = await openRecords(here, [record('www', '192.0.2.1')]);
  await edit(page, 'www', () => page.getByLabel('Address').fill('192.0.2.10'));
  let ttl = 100;
  let isBusy = true;
  await page.route(/dry_run=true/, async (route) => {
    if (isBusy) await changeElsewhere(service, domain, 'www', { ttl: ++ttl });
    await route.continue();
  });
  await review(page);
  await page.getByText('The domain keeps changing').waitFor();
  expect(ttl).toBe(104);
  isBusy = false;
  await page.getByRole('button', { name: 'Check again' }).click();
  await apply(page, 1);
  await page.getByText('1 change is applied.').waitFor();
});

test('what is staged while Apply runs stays staged', async () => {
  const { page, domain } = await openRecords(here, [record('one', '192.0.2.1'), record('two', '192.0.2.2')]);
  const other = await page.context().newPage();
  await other.goto(`/d/${domain}/records`);
  await edit(page, 'one', () => page.getByLabel('Address').fill('192.0.2.10'));
  const sending = await holdBack(page, /\/batch$/);
  await review(page);
  await apply(page, 1);
  await sending.isAsked;
  await page.getByRole('link', { name: 'Back' }).click();
  await edit(page, 'one', () => page.getByLabel('TTL').fill('60'));
  await page.getByRole('button', { name: '+ Record' }).click();
  await page.getByLabel('Name', { exact: true }).fill('three');
  await page.getByLabel('Address').fill('192.0.2.3');
  await page.getByRole('button', { name: 'Stage', exact: true }).click();
  await edit(other, 'two', () => other.getByLabel('TTL').fill('60'));
  await page.getByText('3 staged').waitFor();
  sending.letGo();
  await page.getByText('1 change is applied.').waitFor();
  await page.getByText('3 staged').waitFor();
  await page.unroute(/\/batch$/);
  await review(page);
  await apply(page, 3);
  await page.getByText('3 changes are applied.').waitFor();
  expect(await service.dns.look(`one.${domain}`, 'A')).toEqual(['192.0.2.10']);
  expect((await service.dns.ask(`two.${domain}`, 'A')).answers.map(({ ttl }) => ttl)).toEqual([60]);
  expect(await service.dns.look(`three.${domain}`, 'A')).toEqual(['192.0.2.3']);
});

test('a domain that is left while it loads is complete when somebody comes back', async () => {
  const many = Array.from({ length: 1_200 }, (_, index) => record(`h${index}`, '192.0.2.50'));
  const { page, domain } = await openRecords(here, many);
  const loading = await holdBack(page, /records\/export/);
  await page.goto('/domains');
  await page.getByRole('link', { name: domain }).click();
  await page.getByText('500 records, loading the others').first().waitFor();
  await page.getByRole('link', { name: 'Domains', exact: true }).click();
  loading.letGo();
  await page.getByRole('link', { name: domain }).click();
  await page.getByText('1,203 records').first().waitFor();
  await page.getByRole('button', { name: '+ Record' }).waitFor();
});

test('a domain whose loading stops half-way says so, lets nobody apply anything, and can be loaded', async () => {
  const many = Array.from({ length: 1_200 }, (_, index) => record(`h${index}`, '192.0.2.50'));
  const { page, domain } = await openRecords(here, many);
  await page.getByText('1,203 records').first().waitFor();
  await page.getByRole('rowheader', { name: '@' }).first().focus();
  await page.keyboard.press('Delete');
  await page.getByText('1 change staged').waitFor();
  await untilKept(page);
  await page.route(/records\/export|cursor=/, (route) => route.abort());
  await page.goto(`/d/${domain}/records`);
  await page.getByText('Only 500 records are loaded').waitFor();
  await page.getByText('500 records, the others are not loaded').first().waitFor();
  await expect.poll(() => page.getByRole('button', { name: '+ Record' }).count()).toBe(0);
  await page.getByRole('rowheader').first().focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.getByText('1 change staged').waitFor();
  await expect.poll(() => page.getByText(/\d selected/).count()).toBe(0);
  await review(page);
  await page.getByText('Only 500 records are loaded').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
  await page.unroute(/records\/export|cursor=/);
  await page.getByRole('button', { name: 'Load all records' }).click();
  await apply(page, 1);
  await page.getByText('1 change is applied.').waitFor();
});

test('a large domain is read with one request behind the first page, and by pages if that breaks', async () => {
  const many = Array.from({ length: 1_200 }, (_, index) => record(`h${index}`, '192.0.2.50'));
  const { page } = await openRecords(here, many);
  await page.getByText('1,203 records').first().waitFor();
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/records/export')) requests.push('export');
    else if (searchParams.has('per_page')) requests.push(searchParams.has('cursor') ? 'next page' : 'page');
  });
  await page.reload();
  await page.getByText('1,203 records').first().waitFor();
  expect(requests.splice(0)).toEqual(['page', 'export']);
  await page.route(/records\/export/, (route) =>
    route.fulfill({ contentType: 'application/x-ndjson', body: '{"id":"1"}\n{"id":' }),
  );
  await page.reload();
  await page.getByText('1,203 records').first().waitFor();
  expect(requests).toEqual(['page', 'export', 'page', 'next page', 'next page']);
});
