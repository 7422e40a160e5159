import { expect, test } from 'vitest';
import { call, openConsole, openViewer, type Page } from './console-page.ts';
import { apply, changeElsewhere, edit, openRecords, record, review } from './record-pages.ts';

/* Changes are found in the history, and undone from there. */

const here = await openConsole();
const { service } = here;

function sets(page: Page) {
  return page
    .getByRole('list', { name: 'History' })
    .getByRole('listitem')
    .filter({ has: page.locator('time') });
}

async function openHistory(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'History' }).click();
  await sets(page).first().waitFor();
}

test('a mistake is found by who, when and why, and undone with a difference before it', async () => {
  const { page, domain } = await openRecords(here, [record('www', '192.0.2.7'), record('mail', '192.0.2.8')]);
  await edit(page, 'www', () => page.getByLabel('Address').fill('192.0.2.99'));
  await page.getByRole('rowheader', { name: 'mail' }).focus();
  await page.keyboard.press('Delete');
  await review(page);
  await page.getByLabel('Note for the history').fill('Wrong web server');
  await apply(page, 2);
  await page.getByText('2 changes are applied.').waitFor();
  await openHistory(page);
  const latest = sets(page).first();
  await latest.getByText('Anna Example (you)').waitFor();
  expect(await latest.locator('q').innerText()).toContain('Wrong web server');
  expect(await latest.innerText()).toMatch(/1 changed\s+1 deleted/);
  expect(await latest.locator('time').getAttribute('title')).toMatch(/\d{4} at \d\d:\d\d:\d\d/);
  await latest.getByRole('button', { name: /^Show/ }).click();
  const difference = latest.getByRole('list', { name: 'What was changed' });
  expect(await difference.innerText()).toMatch(
    /changed\s+www\s+A\s+old\s+3600 192\.0\.2\.7\s+new\s+3600 192\.0\.2\.99/,
  );
  // Older sets: by keys of programs.
  expect(await sets(page).last().innerText()).toMatch(/API key/);
  expect(await sets(page).last().innerText()).toContain('Domain added');

  await latest.getByRole('button', { name: /^Undo/ }).click();
  await page.getByRole('heading', { name: `2 changes to ${domain}` }).waitFor();
  await apply(page, 2);
  await page.getByText('2 changes are applied.').waitFor();
  expect(await service.dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.7']);
  expect(await service.dns.look(`mail.${domain}`, 'A')).toEqual(['192.0.2.8']);
});

test('changes are found by who and day, in the address, and Back leads out again', async () => {
  const { page, domain } = await openRecords(here, [record('www', '192.0.2.7')]);
  await edit(page, 'www', () => page.getByLabel('Address').fill('192.0.2.99'));
  await review(page);
  await apply(page, 1);
  await page.getByText('1 change is applied.').waitFor();
  await openHistory(page);
  await sets(page).last().getByText('Domain added').waitFor();
  await page.getByLabel('Who').selectOption({ label: 'Anna Example (you)' });
  await expect.poll(() => sets(page).count()).toBe(1);
  await sets(page).getByText('1 changed').waitFor();
  // It is the latest of all, but a filter does not know it.
  await sets(page)
    .getByRole('link', { name: /^Zone then/ })
    .waitFor();
  await page.reload();
  await sets(page).getByText('1 changed').waitFor();
  await expect.poll(() => sets(page).count()).toBe(1);
  await page.getByText('Show request').click();
  await page.getByText(`/v2/domains/${domain}/changes?actor=`).waitFor();
  await page.getByLabel('To', { exact: true }).fill('2000-01-02');
  await page.getByRole('heading', { name: 'No change matches the filter' }).waitFor();
  await page.goBack();
  await sets(page).getByText('1 changed').waitFor();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await sets(page).last().getByText('Domain added').waitFor();
  expect(page.url()).toMatch(/\/history$/);
});

test('undoing asks where somebody has changed the same record since then', async () => {
  const { page, domain } = await openRecords(here, [record('www', '192.0.2.7')]);
  await changeElsewhere(service, domain, 'www', { data: '192.0.2.8' });
  await changeElsewhere(service, domain, 'www', { data: '192.0.2.9' });
  await openHistory(page);
  await sets(page).nth(1).getByRole('button', { name: /^Undo/ }).click();
  await page.getByRole('heading', { name: '1 to choose' }).waitFor();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await apply(page, 1);
  await page.getByText('1 change is applied.').waitFor();
  expect(await service.dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.7']);
});

test('an earlier state is shown, compared with today, and restored with its SOA fields', async () => {
  const { page, domain } = await openRecords(here, [record('www', '192.0.2.7')]);
  await changeElsewhere(service, domain, 'www', { data: '192.0.2.99' });
  await call(service, 'PATCH', `/v2/domains/${domain}/soa`, { email: 'dns@example.net' });
  await openHistory(page);
  await sets(page).first().getByText('SOA changed').waitFor();
  await sets(page)
    .nth(2)
    .getByRole('link', { name: /^Zone then/ })
    .click();
  await page.getByText('You see an earlier state.').waitFor();
  await expect
    .poll(() => page.getByLabel('The zone as it was').innerText())
    .toMatch(/www\s+3600\s+IN\s+A\s+192\.0\.2\.7/);
  const difference = page.getByRole('list', { name: 'State' });
  expect(await difference.innerText()).toMatch(/old\s+3600 192\.0\.2\.99\s+new\s+3600 192\.0\.2\.7/);
  await page.getByRole('list', { name: 'SOA' }).getByText('dns@example.net').waitFor();
  // Somebody is faster: nothing is overwritten before it was seen.
  await call(service, 'POST', `/v2/domains/${domain}/records`, record('late', '192.0.2.50'));
  await page.getByRole('button', { name: /^Restore this state/ }).click();
  await page.getByText('The domain has just changed.').waitFor();
  await difference.getByText('192.0.2.50').waitFor();
  expect(await service.dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.99']);
  await page.getByLabel('Note for the history').fill('Back');
  await page.getByRole('button', { name: 'Restore this state: 3 changes' }).click();
  await page.getByText('2 changes are applied.').waitFor();
  expect(await service.dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.7']);
  expect(await service.dns.look(`late.${domain}`, 'A')).toBe('NXDOMAIN');
  // The records are those of today.
  await page.getByRole('link', { name: 'Go to the records' }).click();
  await page.getByRole('grid').getByText('192.0.2.7', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('grid').getByText('192.0.2.50').count()).toBe(0);
  await openHistory(page);
  await sets(page).first().locator('q').getByText('Back').waitFor();
});

test('how a name was answered is asked of an earlier state, and then of today', async () => {
  const { page, domain } = await openRecords(here, [record('www', '192.0.2.7')]);
  await changeElsewhere(service, domain, 'www', { name: 'moved' });
  await openHistory(page);
  await sets(page)
    .nth(1)
    .getByRole('link', { name: /^Zone then/ })
    .click();
  await page.getByRole('link', { name: 'Ask how it was answered' }).click();
  await page.getByText(/^Answers of the zone at serial \d+$/).waitFor();
  await page.getByLabel('Name').fill('www');
  await page.getByLabel('Name').press('Enter');
  const answer = page.getByRole('region', { name: 'Answer' });
  await answer.getByText('There is an answer.').waitFor();
  await page.getByText(`www.${domain} is answered with 1 A record`).waitFor();
  expect(await page.getByLabel('Ask a resolver as well').count()).toBe(0);
  await page.getByText('Show request').click();
  await page.getByText(/zonewright explain \S+ www A --at \d+/).waitFor();
  await page.getByRole('link', { name: 'Ask about today' }).click();
  await answer.getByText('There is no such name.').waitFor();
  expect(page.url()).not.toContain('at=');
});

test('a state before the history begins says so, and is no page of its own if it is no serial', async () => {
  const { page, domain } = await openRecords(here);
  await page.goto(`/d/${domain}/at/1`);
  await page.getByRole('alert').first().waitFor();
  expect(await page.getByRole('alert').first().innerText()).toMatch(/Request \S+/);
  await page.goto(`/d/${domain}/at/yesterday`);
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
});

test('a viewer reads the history, and can neither undo nor restore', async () => {
  const { page: owner, domain } = await openRecords(here, [record('www', '192.0.2.7')]);
  const page = await openViewer(here.open, owner);
  await page.goto(`/d/${domain}/history`);
  await sets(page).first().waitFor();
  await page.getByText('You are a viewer. Ask an owner for edit rights.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
  await sets(page)
    .nth(1)
    .getByRole('link', { name: /^Zone then/ })
    .click();
  const restore = page.getByRole('button', { name: /^Restore this state/ });
  expect(await restore.getAttribute('aria-disabled')).toBe('true');
});
