import { expect, test } from 'vitest';
import { ageSessions } from './age-sessions.ts';
import { joinAs, openConsole, openOwnAccount, PASSWORD, type Page } from './console-page.ts';

const { service, open } = await openConsole();

/** The people page of the only owner of a new account. */
async function openPeople(account: string, email: string): Promise<Page> {
  const page = await open();
  await openOwnAccount(service, page, account, email);
  await page.goto('/people');
  await page.getByRole('list', { name: 'Members' }).waitFor();
  return page;
}

function member(page: Page, name: string) {
  return page.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: name });
}

/** Makes an invitation on the page, and returns the end of its link. */
async function invite(page: Page, email: string, role: string, edits?: string): Promise<string> {
  await page.getByRole('button', { name: '+ Invite' }).click();
  if (email !== '') await page.getByLabel('Email').fill(email);
  await page.getByRole('radio', { name: role }).check();
  if (edits !== undefined) await page.getByLabel('Edits these domains').fill(edits);
  await page.getByRole('button', { name: 'Make the link' }).click();
  const ready = page.getByRole('dialog', { name: 'The invitation is ready' });
  const link = await ready.getByText(/#zwi_/).innerText();
  await ready.getByRole('button', { name: 'I have copied it' }).click();
  return new URL(link).pathname + new URL(link).hash;
}

test('somebody is invited, joins, gets another role, and is removed', async () => {
  const page = await openPeople('Round Ltd', 'round@example.net');
  const link = await invite(page, 'bert@example.net', 'Viewer');
  const open1 = page.getByRole('list', { name: 'Open invitations' }).getByRole('listitem');
  await open1.filter({ hasText: 'bert@example.net' }).getByText('Viewer').waitFor();
  await expect.poll(() => page.getByText(/#zwi_/).count()).toBe(0);
  const other = await open();
  await joinAs(other, link, 'bert@example.net');

  await page.reload();
  await member(page, 'bert@example.net').getByText('Signs in with a password alone.').waitFor();
  await expect.poll(() => open1.count()).toBe(0);
  await page.getByRole('button', { name: 'Actions for bert@example.net' }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await page.getByRole('radio', { name: 'Editor' }).check();
  await page.getByRole('button', { name: 'Save role' }).click();
  await member(page, 'bert@example.net').getByText('Editor', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Actions for bert@example.net' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.poll(() => member(page, 'bert@example.net').count()).toBe(0);
  await other.goto('/domains');
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('a user of single domains is invited with their names, and sees nothing of the account', async () => {
  const page = await openPeople('Single Ltd', 'single@example.net');
  await page.getByRole('button', { name: '+ Invite' }).click();
  await page.getByRole('radio', { name: 'Single domains' }).check();
  const make = page.getByRole('button', { name: 'Make the link' });
  expect(await make.getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('button', { name: 'Cancel' }).click();
  const link = await invite(page, '', 'Single domains', 'münchen.example');
  await page.getByText('Edits münchen.example').waitFor();
  const other = await open();
  await joinAs(other, link, 'carl@example.net');
  await other.getByRole('button', { name: 'Go to your domains' }).click();
  await other.getByRole('heading', { name: 'Domains' }).waitFor();
  await expect.poll(() => other.getByRole('link', { name: 'People' }).count()).toBe(0);
});

test('an invitation is revoked, and its link leads nowhere', async () => {
  const page = await openPeople('Revoke Ltd', 'revoke@example.net');
  const link = await invite(page, '', 'Owner');
  await page.getByRole('button', { name: 'Revoke the invitation of Anybody with the link' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click();
  await page.getByText('The invitation is revoked.').waitFor();
  await page.getByText('None. An invitation stands here').waitFor();
  const other = await open();
  await other.goto(link);
  await other.getByRole('heading', { name: 'The link cannot be used' }).waitFor();
});

test('the last owner cannot become a viewer, and learns why', async () => {
  const page = await openPeople('Last Ltd', 'last@example.net');
  await page.getByRole('button', { name: 'Actions for last@example.net' }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await page.getByRole('radio', { name: 'Viewer' }).check();
  await page.getByRole('button', { name: 'Save role' }).click();
  await page.getByRole('dialog').getByText('That conflicts with what is there').waitFor();
});

test('others see who invites people, and leave by themselves', async () => {
  const page = await openPeople('Leave Ltd', 'leave@example.net');
  const link = await invite(page, '', 'Editor');
  const other = await open();
  await joinAs(other, link, 'dora@example.net');
  await other.goto('/people');
  await other.getByText('Owners see who belongs to the account').waitFor();
  expect(await other.getByRole('button', { name: '+ Invite' }).getAttribute('aria-disabled')).toBe('true');
  await other.getByRole('button', { name: 'Leave the account' }).click();
  await other
    .getByRole('dialog', { name: 'Leave Leave Ltd' })
    .getByRole('button', { name: 'Leave the account' })
    .click();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.reload();
  await member(page, 'leave@example.net').waitFor();
  await expect.poll(() => member(page, 'dora@example.net').count()).toBe(0);
});

test('an owner who gives the role up loses the page at once', async () => {
  const page = await openPeople('Two Ltd', 'two@example.net');
  await joinAs(await open(), await invite(page, '', 'Owner'), 'three@example.net');
  await page.getByRole('button', { name: 'Actions for two@example.net' }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await page.getByRole('radio', { name: 'Viewer' }).check();
  await page.getByRole('button', { name: 'Save role' }).click();
  await page.getByText('Owners see who belongs to the account').waitFor();
});

test('after ten minutes, an invitation asks who the user is first', async () => {
  const page = await openPeople('Stale Ltd', 'stale@example.net');
  await ageSessions(service, page);
  await page.getByRole('button', { name: '+ Invite' }).click();
  await page.getByRole('button', { name: 'Make the link' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByLabel('Password').fill(PASSWORD);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('dialog', { name: 'The invitation is ready' }).waitFor();
});
