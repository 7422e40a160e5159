import { expect, test } from 'vitest';
import { call, openConsole } from './console-page.ts';
import {
  apply,
  changeElsewhere,
  edit,
  holdBack,
  openRecords as openIn,
  record,
  review,
  untilKept,
  watchRequests,
  type RecordPage,
} from './record-pages.ts';

const here = await openConsole();
const { service } = here;
const openRecords = (records: readonly object[] = []): Promise<RecordPage> => openIn(here, records);

test('the filter is instant, stays in the address, and comes back with it', async () => {
  const { page } = await openRecords([
    record('www', '192.0.2.7'),
    record('blog', '192.0.2.8'),
    record('mail', 'x', 'TXT'),
  ]);
  await page.keyboard.press('/');
  await page.keyboard.type('blog');
  await page.getByText('1 of 6 records').first().waitFor();
  await page.waitForURL(/q=blog/);
  await page.reload();
  await page.getByText('1 of 6 records').first().waitFor();
  await page.getByRole('searchbox').fill('');
  await page.getByLabel('Type').selectOption('TXT');
  await page.waitForURL(/type=TXT/);
  await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toEqual(['mail']);
  await page.getByLabel('Type').selectOption('');
  await page.getByRole('searchbox').fill('nothing like it');
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await page.getByText('6 records').first().waitFor();
});

test('the keyboard alone moves, edits, duplicates, deletes, takes back, reviews and applies', async () => {
  const { page, domain } = await openRecords([record('www', '192.0.2.7'), record('zz', '192.0.2.9')]);
  const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.textContent');
  await page.getByRole('rowheader', { name: 'www' }).focus();
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('zz');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  expect(await focused()).toBe('192.0.2.9');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await expect.poll(() => page.evaluate<string>('document.activeElement.name')).toBe('record-data');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('192.0.2.10');
  await page.keyboard.press('Control+Enter');
  await page.getByText('1 change staged').waitFor();
  await expect.poll(focused).toContain('192.0.2.10');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Delete');
  await page.getByText('2 staged').waitFor();
  await page.keyboard.press('u');
  await page.getByText('1 change staged').waitFor();
  await page.keyboard.press('d');
  await page.getByRole('dialog').waitFor();
  await expect.poll(() => page.evaluate<string>('document.activeElement.name')).toBe('record-name');
  await page.keyboard.type('copy');
  await page.keyboard.press('Escape');
  await page.getByText('What you have typed is not staged').waitFor();
  // The browser asks before it reloads the page, too.
  const asked = page.waitForEvent('dialog');
  await page.evaluate('void setTimeout(() => location.reload())');
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog').getByLabel('Name', { exact: true }).inputValue()).toMatch(/copy/);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').getByRole('button', { name: 'Close without it' }).press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate<string>('document.activeElement.tagName')).not.toBe('BODY');
  await page.getByRole('link', { name: 'Review' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Note for the history').focus();
  await page.getByRole('button', { name: 'Apply 1 change' }).waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: 'Apply 1 change' }).getAttribute('aria-disabled'))
    .toBeNull();
  await page.keyboard.press('Control+Enter');
  await page.getByText('1 change is applied.').waitFor();
  expect(await service.dns.look(`zz.${domain}`, 'A')).toEqual(['192.0.2.10']);
});

test('F6 goes round the regions, and the keys / and ? can be switched off', async () => {
  const { page } = await openRecords([record('www', '192.0.2.7')]);
  const focused = () =>
    page.evaluate<string>("document.activeElement.closest('[data-region]')?.className ?? 'none'");
  await page.getByRole('rowheader', { name: 'www' }).focus();
  await page.keyboard.press('Delete');
  await page.getByText('1 change staged').waitFor();
  const visited: string[] = [];
  for (const key of ['F6', 'F6', 'F6', 'Shift+F6', 'Shift+F6', 'Shift+F6']) {
    await page.keyboard.press(key);
    visited.push(await focused());
  }
  expect(visited).toEqual(['dock', 'rail', 'main', 'rail', 'dock', 'main']);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).getByText('F6').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Menu: Anna Example' }).first().click();
  await page.getByRole('menuitemcheckbox', { name: 'Off' }).click();
  await page.reload();
  await page.getByPlaceholder('Find name or data', { exact: true }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.press('?');
  await page.keyboard.press('F6');
  expect(await focused()).toBe('rail');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('two people who change one record: both parts are merged, and what cannot be merged is asked', async () => {
  const { page, domain } = await openRecords([record('one', '192.0.2.1'), record('two', '192.0.2.2')]);
  await edit(page, 'one', async () => page.getByLabel('TTL').fill('5 min'));
  await edit(page, 'two', async () => page.getByLabel('Address').fill('192.0.2.22'));
  const made = (await service.http.post('/v2/keys', { label: 'deploy', scope: 'full' })).json.key!;
  const deploy = { http: service.http.withKey(made.key) };
  await changeElsewhere(deploy, domain, 'one', { data: '192.0.2.11' });
  await changeElsewhere(deploy, domain, 'two', { data: '192.0.2.99' });
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('heading', { name: '1 to choose' }).waitFor();
  await page.getByText('API key “deploy” changed 2 records: 1 merged, 1 to choose').waitFor();
  await page.getByText(/API key “deploy” changed this record (now|\d+ \w+ ago)\./).waitFor();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByText('2 changes are applied.').waitFor();
  expect(await service.dns.look(`one.${domain}`, 'A')).toEqual(['192.0.2.11']);
  expect(await service.dns.look(`two.${domain}`, 'A')).toEqual(['192.0.2.22']);
});

test('a change that the service refuses leads back to its editor', async () => {
  const { page, domain } = await openRecords([record('www', '192.0.2.7')]);
  await page.getByRole('button', { name: '+ Record' }).click();
  await page.getByLabel('Name', { exact: true }).fill('www');
  await page.getByRole('dialog').getByLabel('Type').selectOption('CNAME');
  await page.getByLabel('Target').fill('other.example');
  await page.getByRole('button', { name: 'Stage', exact: true }).click();
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByText('The changes cannot be applied yet').waitFor();
  await page.getByRole('button', { name: 'Edit it' }).click();
  await page.getByRole('dialog', { name: 'New record' }).getByLabel('Name', { exact: true }).fill('blog');
  await page.getByRole('button', { name: 'Stage', exact: true }).click();
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('1 change is applied.').waitFor();
  expect(await service.dns.look(`blog.${domain}`, 'CNAME')).toEqual(['other.example']);
});

test('without a connection, the draft stays, and Apply works when it is back', async () => {
  const { page, domain } = await openRecords([record('www', '192.0.2.7')]);
  await page.getByRole('rowheader', { name: 'www' }).focus();
  await page.keyboard.press('Delete');
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Apply 1 change' }).waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: 'Apply 1 change' }).getAttribute('aria-disabled'))
    .toBeNull();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByRole('alert').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try now' }).first().click();
  await page.getByText('1 change is applied.').waitFor();
  expect(await service.dns.look(`www.${domain}`, 'A')).toBe('NXDOMAIN');
});

test('a thousand records are selected with one key, and get a TTL in one step', async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => record(`h${index}`, '192.0.2.50'));
  const { page, domain } = await openRecords(many);
  await page.getByText('1,003 records').first().waitFor();
  expect(await page.getByRole('row').count()).toBeLessThan(100);
  await page.getByRole('searchbox').fill('192.0.2.50');
  await page.getByText('1,000 of 1,003 records').first().waitFor();
  await page.getByRole('rowheader').first().focus();
  await page.keyboard.press('Control+a');
  await page.getByText('1,000 selected').waitFor();
  await page.getByRole('button', { name: 'TTL', exact: true }).click();
  await page.getByRole('dialog').getByLabel('TTL').fill('60');
  await page.getByRole('button', { name: 'Stage the TTL' }).click();
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Apply 1,000 changes' }).click();
  await page.getByText('1,000 changes are applied.').waitFor();
  const reply = await service.dns.ask(`h999.${domain}`, 'A');
  expect(reply.answers.map(({ ttl }) => ttl)).toEqual([60]);
});

test('a record whose name ends in the domain keeps it when its TTL is changed', async () => {
  const { page, domain } = await openRecords();
  await call(
    service,
    'POST',
    `/v2/domains/${domain}/records`,
    record(`www.${domain}.${domain}`, '192.0.2.7'),
  );
  await page.reload();
  await edit(page, `www.${domain}.${domain}`, async () => page.getByLabel('TTL').fill('60'));
  await review(page);
  await apply(page, 1);
  await page.getByText('1 change is applied.').waitFor();
  expect(await service.dns.look(`www.${domain}.${domain}`, 'A')).toEqual(['192.0.2.7']);
  expect(await service.dns.look(`www.${domain}`, 'A')).toBe('NXDOMAIN');
});

test('only what is selected and in sight is deleted, and the rest of the selection stays', async () => {
  const { page } = await openRecords(['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => record(name, '192.0.2.7')));
  const filter = page.getByRole('searchbox');
  await filter.fill('192.0.2.7');
  await page.getByText('5 of 8 records').first().waitFor();
  await page.getByRole('rowheader').first().focus();
  await page.keyboard.press('Control+a');
  await page.getByText('5 selected').waitFor();
  await filter.fill('b1');
  await page.getByText('1 selected').waitFor();
  await page.getByText('4 more are hidden by the filter').waitFor();
  await page.getByRole('rowheader', { name: 'b1' }).focus();
  await page.keyboard.press('Delete');
  await page.getByText('1 change staged. Nothing is live yet.').waitFor();
  await filter.fill('b');
  await page.getByText('1 selected').waitFor();
  await page.getByRole('region', { name: 'Selected' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('2 staged. Nothing is live yet.').waitFor();
  await filter.fill('');
  await page.getByText('3 selected').waitFor();
});

test('another spelling of the domain in the address has the same draft', async () => {
  const { page, domain } = await openRecords([record('www', '192.0.2.7')]);
  await edit(page, 'www', async () => page.getByLabel('TTL').fill('60'));
  await untilKept(page);
  await page.goto(`/d/${domain.toUpperCase()}./records?q=www`);
  await page.waitForURL(`**/d/${domain}/records?q=www`);
  await page.getByText('1 change staged').waitFor();
});

test('Ctrl+Enter applies nothing before the changes are checked, and Live is said only of what was applied', async () => {
  const { page } = await openRecords([record('www', '192.0.2.7')]);
  await page.getByText('Live on 1 of 1').waitFor();
  await edit(page, 'www', async () => page.getByLabel('TTL').fill('60'));
  const check = await holdBack(page, /dry_run=true/);
  const propagation = await holdBack(page, /propagation/);
  const requests = watchRequests(page);
  await review(page);
  await page.getByLabel('Note for the history').press('Control+Enter');
  await check.isAsked;
  await page.getByLabel('Note for the history').press('Control+Enter');
  check.letGo();
  await page
    .getByRole('button', { name: 'Apply 1 change' })
    .and(page.locator(':not([aria-disabled])'))
    .waitFor();
  expect(requests.filter((request) => request.endsWith('/batch'))).toHaveLength(1);
  await page.getByLabel('Note for the history').press('Control+Enter');
  await page.getByText('1 change is applied.').waitFor();
  await expect.poll(() => page.getByText(/Live on/).count()).toBe(0);
  propagation.letGo();
  await page.getByText('Live on 1 of 1 nameservers.').waitFor();
});

test('a wait ends by itself, and can be cut short in front of a dialog', async () => {
  const { page } = await openRecords();
  const waits = ['1', '30'];
  await page.route(/\/v2\/domains\?dry_run=true/, (route) => {
    const seconds = waits.shift();
    return seconds === undefined
      ? route.continue()
      : route.fulfill({
          status: 429,
          headers: { 'retry-after': seconds },
          json: { error: 'slow', code: 'too_many_requests' },
        });
  });
  await page.goto('/domains');
  await page.getByRole('button', { name: 'Add domain' }).first().click();
  await page.getByLabel('Domain name').fill('waits.example');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/Trying again in (?:2\d|30) s/).waitFor();
  expect(waits).toEqual([]);
  await dialog.getByRole('button', { name: 'Try now' }).click();
  await dialog.getByText('waits.example can be added.').waitFor();
});

test('a nameserver that has not reported is not counted as one where the domain is live', async () => {
  const { page } = await openRecords();
  await page.getByText('Live on 1 of 1').waitFor();
  await page.route(/propagation/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replaceAll('"live":true', '"live":false'),
    });
  });
  await page.reload();
  await page.getByText(/Live on 0 of 1\. No report from/).waitFor();
});

test('a wait that was cancelled leaves a way on', async () => {
  const { page, domain } = await openRecords();
  let isBusy = true;
  await page.route(/\/records\?/, (route) =>
    isBusy
      ? route.fulfill({
          status: 429,
          headers: { 'retry-after': '30' },
          json: { error: 'slow', code: 'too_many_requests' },
        })
      : route.continue(),
  );
  await page.goto(`/d/${domain}/records`);
  await page.getByText('Too many requests').waitFor();
  await page.getByRole('button', { name: 'Cancel the request' }).click();
  await page.getByText('You have cancelled the request').waitFor();
  isBusy = false;
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.getByRole('grid').waitFor();
});
