import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ownerToken } from '../harness/people.ts';
import { call, joinAs, joinInvited, openConsole, originOf, PASSWORD, type Page } from './console-page.ts';

const { service, open } = await openConsole();
for (let index = 0; index < 130; index++)
  await call(service, 'POST', '/v2/keys', { label: `key ${index}`, scope: 'read' });

async function openOwner(email: string, path = '/trail'): Promise<Page> {
  const page = await open();
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, email);
  await page.goto(path);
  await page.getByRole('list', { name: 'Trail' }).waitFor();
  return page;
}

function entries(page: Page) {
  return page.getByRole('list', { name: 'Trail' }).getByRole('listitem');
}

async function countOf(page: Page): Promise<number> {
  return Number(await entries(page).first().getAttribute('aria-setsize'));
}

test('entries are found by what, who and day, in the address, and Back leads out again', async () => {
  const page = await openOwner('filters@example.net');
  await page.getByLabel('What').selectOption('Members');
  await expect.poll(() => page.url()).toContain('action=member.');
  await page.getByLabel('What').selectOption('Invitations');
  await page.getByText('Invitation accepted').first().waitFor();
  await expect.poll(() => page.getByText('Key created').count()).toBe(0);
  await page.getByRole('button', { name: 'filters@example.net' }).first().click();
  await page.getByRole('button', { name: 'Drop the filter: By' }).waitFor();
  await expect.poll(() => countOf(page)).toBe(1);
  await page.getByLabel('From').fill('2000-01-01');
  await page.getByLabel('To', { exact: true }).fill('2000-01-02');
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  await page.goBack();
  await page.goBack();
  await page.getByText('Invitation accepted').first().waitFor();
  await page.reload();
  await expect.poll(() => countOf(page)).toBe(1);
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await page.getByText('Key created').first().waitFor();
});

test('older entries follow on demand, and the export has all of them', async () => {
  const page = await openOwner('export@example.net', '/trail?action=key.create');
  await expect.poll(() => countOf(page)).toBe(100);
  await page.getByRole('button', { name: 'Look further back' }).click();
  await expect.poll(() => countOf(page)).toBeGreaterThanOrEqual(130);
  await expect.poll(() => page.getByRole('button', { name: 'Look further back' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save file' }).click();
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines).toHaveLength(await countOf(page));
  expect(JSON.parse(lines[0])).toMatchObject({ action: 'key.create' });
});

test('an operator sees what belongs to no account, such as sign-ins of people whom nobody knows', async () => {
  const stranger = await open();
  await stranger.goto('/sign-in');
  await stranger.getByLabel('Email').fill('stranger@example.net');
  await stranger.getByLabel('Password').fill(PASSWORD);
  await stranger.getByRole('button', { name: 'Sign in', exact: true }).click();
  await stranger.getByRole('alert').waitFor();
  const page = await openOwner('operator@example.net', '/operator/trail');
  await page.getByLabel('What').selectOption('Sign-ins');
  await page.getByText('Of no account: only operators see it').first().waitFor();
  await page
    .getByRole('navigation', { name: 'Places' })
    .getByRole('link', { name: 'Trail', exact: true })
    .click();
  await page.getByRole('heading', { name: 'Trail', exact: true }).waitFor();
  await expect.poll(() => page.getByText('Of no account: only operators see it').count()).toBe(0);
});

test('others learn who reads the trail', async () => {
  const page = await open();
  await joinInvited(service, page, { role: 'editor' }, 'editor@example.net');
  await page.goto('/trail');
  await page.getByText('Owners read the trail').waitFor();
  expect(await page.getByRole('button', { name: 'Export' }).getAttribute('aria-disabled')).toBe('true');
  await page.goto('/operator/trail');
  await page.getByText('Operators of the service read the trail').waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Trail of all accounts' }).count()).toBe(0);
});
