import { expect, test } from 'vitest';
import { openConsole } from './console-page.ts';
import { apply, changeElsewhere, edit, openRecords, record, review } from './record-pages.ts';

/* An answer that never came: the page says that it does not know, and finds out. */

const here = await openConsole();
const { service } = here;

test.each([
  ['the connection breaks', undefined],
  ['a proxy answers in place of the service', 502],
])(
  'after the commit, %s: the same request, sent again after a reload, has its first answer',
  async (_, status) => {
    const { page, domain } = await openRecords(here, [record('www', '192.0.2.1')]);
    await page.getByRole('button', { name: '+ Record' }).click();
    await page.getByLabel('Name', { exact: true }).fill('new');
    await page.getByLabel('Address').fill('192.0.2.7');
    await page.getByRole('button', { name: 'Stage', exact: true }).click();
    const keys: (string | undefined)[] = [];
    let isLost = true;
    await page.route(/\/batch$/, async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      const answer = await route.fetch();
      if (!isLost) await route.fulfill({ response: answer });
      else if (status === undefined) await route.abort();
      else await route.fulfill({ status, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
    });
    await review(page);
    await page.getByLabel('Note for the history').fill('Once');
    await apply(page, 1);
    await page.getByText('It is not known whether your changes are live').waitFor();
    await expect.poll(() => page.getByText('Nothing was changed').count()).toBe(0);
    expect(await service.dns.look(`new.${domain}`, 'A')).toEqual(['192.0.2.7']);
    await changeElsewhere(service, domain, 'www', { ttl: 77 });
    isLost = false;
    await page.reload();
    await page.getByText('It is not known whether your changes are live').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('1 change is applied.').waitFor();
    expect(new Set(keys).size).toBe(1);
    const { json } = await service.http.get(`/v2/domains/${domain}/records?name=new`);
    expect(json.records).toHaveLength(1);
    await page.getByRole('link', { name: 'Go to the records' }).click();
    await page.getByRole('rowheader', { name: 'new' }).waitFor();
    await expect.poll(() => page.getByText('staged').count()).toBe(0);
  },
);

test('instead of sending again, what was staged can be compared with what is there', async () => {
  const { page, domain } = await openRecords(here, [record('www', '192.0.2.1'), record('two', '192.0.2.2')]);
  await edit(page, 'www', () => page.getByLabel('Address').fill('192.0.2.7'));
  await page.route(/\/batch$/, (route) => route.abort());
  await review(page);
  await apply(page, 1);
  await page.getByText('It is not known whether your changes are live').waitFor();
  await page.unroute(/\/batch$/);
  await page.getByRole('button', { name: 'Compare with what is there' }).click();
  await apply(page, 1);
  await page.getByText('1 change is applied.').waitFor();
  expect(await service.dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.7']);
});
