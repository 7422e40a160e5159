import { expect, test } from 'vitest';
import { ownerToken } from '../harness/people.ts';
import {
  addAuthenticator,
  call,
  joinAs,
  openViewer,
  openConsole,
  originOf,
  PASSWORD,
  type Page,
} from './console-page.ts';
import { untilKept } from './record-pages.ts';

const { service, open } = await openConsole();
await call(service, 'POST', '/v2/domains', { domain: 'people.example', ip: '192.0.2.1' });
await call(service, 'POST', '/v2/domains', { domain: 'other.example' });

async function newOwner(email: string): Promise<Page> {
  const page = await open();
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, email);
  await page.getByRole('button', { name: 'Go to your domains' }).click();
  await page.getByRole('link', { name: 'people.example' }).waitFor();
  return page;
}

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Menu: / }).click();
}

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a passkey is made after joining, and signs in without a password', async () => {
  const page = await open();
  await addAuthenticator(page);
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, 'pass@example.net');
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await page.getByRole('link', { name: 'people.example' }).waitFor();
  await openMenu(page);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await page.getByRole('link', { name: 'people.example' }).waitFor();
});

test('signing out leads to the form, a wrong password says so, and the right one leads back', async () => {
  const page = await newOwner('out@example.net');
  await openMenu(page);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto('/d/people.example/records');
  await signIn(page, 'out@example.net', 'wrong horse battery staple');
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').innerText()).toMatch(/Request \S+/);
  await signIn(page, 'out@example.net');
  await page.getByRole('grid').waitFor();
});

test('a link that was used cannot be used again, and says so', async () => {
  const token = await ownerToken(service);
  await joinAs(await open(), `${originOf(service)}/invite#${token}`, 'once@example.net');
  const again = await open();
  await again.goto(`/invite#${token}`);
  await again.getByRole('heading', { name: 'The link cannot be used' }).waitFor();
});

test('a session that ends asks for the password on top of the page, which keeps what was typed', async () => {
  const page = await newOwner('ended@example.net');
  await page.goto('/d/people.example/records');
  await page.getByRole('button', { name: '+ Record' }).click();
  await page.getByLabel('Name', { exact: true }).fill('kept');
  await page.getByLabel('Address').fill('192.0.2.55');
  await page.evaluate(() => fetch('/v2/sessions', { method: 'DELETE' }).then(() => undefined));
  await page.getByRole('button', { name: 'Stage', exact: true }).click();
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await signIn(page, 'ended@example.net');
  await page.getByRole('list', { name: 'State' }).getByText('192.0.2.55').waitFor();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('1 change is applied.').waitFor();
});

async function stageDeletion(page: Page): Promise<void> {
  await page.goto('/d/people.example/records');
  await page.getByRole('rowheader', { name: '@' }).first().focus();
  await page.keyboard.press('Delete');
  await page.getByText('1 change staged. Nothing is live yet.').waitFor();
}

test('somebody else who signs in where a session has ended starts anew, without its drafts', async () => {
  await newOwner('second@example.net');
  const page = await newOwner('first@example.net');
  await stageDeletion(page);
  await page.evaluate(() => fetch('/v2/sessions', { method: 'DELETE' }).then(() => undefined));
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await signIn(page, 'second@example.net');
  await page.waitForURL('**/domains');
  await page.getByRole('link', { name: 'people.example' }).click();
  await page.getByRole('grid').waitFor();
  await expect.poll(() => page.getByText('staged').count()).toBe(0);
});

test('somebody else who signs in in another window takes this one over, and applies nothing of the first', async () => {
  await newOwner('fourth@example.net');
  const page = await newOwner('third@example.net');
  await stageDeletion(page);
  await page.getByRole('link', { name: 'Review' }).click();
  const button = page
    .getByRole('button', { name: 'Apply 1 change' })
    .and(page.locator(':not([aria-disabled])'));
  await button.waitFor();
  // Not by the form of the console, which would tell its other windows.
  await page.evaluate(async (password) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ email: 'fourth@example.net', password });
    await fetch('/v2/session', { method: 'POST', headers, body });
  }, PASSWORD);
  await button.click();
  await page.waitForURL('**/domains');
  await page.getByRole('link', { name: 'people.example' }).waitFor();
  // By the form.
  const other = await page.context().newPage();
  await other.goto('/domains');
  await openMenu(other);
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await signIn(other, 'third@example.net');
  await other.getByRole('link', { name: 'people.example' }).waitFor();
  await page.getByRole('button', { name: 'Menu: Anna Example' }).first().waitFor();
  await page.goto('/d/people.example/records');
  await page.getByText('1 change staged. Nothing is live yet.').waitFor();
});

test('what is staged survives the page, and signing out asks about it', async () => {
  const page = await newOwner('draft@example.net');
  await page.goto('/d/people.example/records');
  await page.getByRole('rowheader', { name: '@' }).first().focus();
  await page.keyboard.press('Delete');
  await page.getByText('1 change staged. Nothing is live yet.').waitFor();
  await untilKept(page);
  await page.reload();
  await page.getByText('1 change staged. Nothing is live yet.').waitFor();
  await openMenu(page);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('Changes of one domain are staged or typed, and not applied.').waitFor();
  await page.getByRole('button', { name: 'Sign out and discard them' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signIn(page, 'draft@example.net');
  await page.getByRole('link', { name: 'people.example' }).waitFor();
  await page.goto('/d/people.example/records');
  await page.getByRole('grid').waitFor();
  await expect.poll(() => page.getByText('staged').count()).toBe(0);
});

test('a viewer sees records, and learns why nothing can be changed', async () => {
  const owner = await newOwner('viewers@example.net');
  const page = await openViewer(open, owner);
  await page.goto('/d/people.example/records');
  await page.getByRole('grid').waitFor();
  await page.getByText('You are a viewer. Ask an owner for edit rights.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: '+ Record' }).count()).toBe(0);
  await page.goto('/domains');
  await page.getByRole('link', { name: 'other.example' }).waitFor();
  expect(await page.getByRole('button', { name: '+ Add domain' }).getAttribute('aria-disabled')).toBe('true');
});
