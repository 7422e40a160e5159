import { execFileSync } from 'node:child_process';
import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { ownerToken } from '../harness/people.ts';
import { makeFolder } from '../harness/service.ts';
import { ageSessions } from './age-sessions.ts';
import { addAuthenticator, joinAs, openConsole, originOf, PASSWORD, type Page } from './console-page.ts';

const { service, open } = await openConsole();
const newPassword = 'another horse battery staple';

/** The page of somebody who has just joined. */
async function openAccount(email: string): Promise<Page> {
  const page = await open();
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, email);
  await page.goto('/account');
  await page.getByRole('heading', { name: 'My account' }).waitFor();
  return page;
}

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

function list(page: Page, name: string) {
  return page.getByRole('list', { name }).getByRole('listitem');
}

test('the name is changed, and shown at once', async () => {
  const page = await openAccount('name@example.net');
  await page.getByRole('button', { name: 'Change name' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Olga Owner');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Your name is changed.').waitFor();
  await page.getByRole('button', { name: /^Menu: Olga Owner/ }).waitFor();
});

test('after ten minutes, a change asks for the password, says that it is wrong, and then goes on by itself', async () => {
  const page = await openAccount('stale@example.net');
  await ageSessions(service, page);
  await page.getByRole('button', { name: 'Change name' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Proven');
  await page.getByRole('button', { name: 'Save name' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByLabel('Password').fill('wrong horse battery staple');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await proof.getByRole('alert').waitFor();
  await proof.getByLabel('Password').fill(PASSWORD);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Your name is changed.').waitFor();
});

test('a proof that is cancelled changes nothing and keeps what was typed', async () => {
  const page = await openAccount('cancel@example.net');
  await ageSessions(service, page);
  await page.getByRole('button', { name: 'Change name' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Typed');
  await page.getByRole('button', { name: 'Save name' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByRole('button', { name: 'Cancel' }).click();
  await proof.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('definition').getByText('Anna Example').waitFor();
});

test('a new password ends the other sessions, and signs in', async () => {
  const page = await openAccount('password@example.net');
  const other = await open();
  await signIn(other, 'password@example.net');
  await other.getByRole('heading', { name: 'Domains' }).waitFor();
  await page.getByRole('button', { name: 'Change password' }).click();
  const save = page.getByRole('button', { name: 'Save password' });
  expect(await save.getAttribute('aria-disabled')).toBe('true');
  await page.getByLabel('New password').fill(newPassword);
  await save.click();
  await page.getByText('Your other sessions have ended.').waitFor();
  await other.goto('/account');
  await signIn(other, 'password@example.net', newPassword);
  await other.getByRole('heading', { name: 'Domains' }).waitFor();
});

test('a password that everybody uses is refused in words, and the dialog stays', async () => {
  const page = await openAccount('common@example.net');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('New password').fill('common@example.net');
  await page.getByRole('button', { name: 'Save password' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The service cannot accept that').waitFor();
  expect(await dialog.getByLabel('New password').inputValue()).toBe('common@example.net');
});

test('a passkey is added, renamed, takes the place of the password, and cannot be removed then', async () => {
  const page = await open();
  await addAuthenticator(page);
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, 'passkey@example.net');
  await page.goto('/account');
  const removePassword = page.getByRole('button', { name: 'Remove password' });
  expect(await removePassword.getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('Key ring');
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await page.getByText('The passkey is ready.').waitFor();
  await page.getByRole('button', { name: 'Actions for Key ring' }).click();
  await page.getByRole('menuitem', { name: 'Rename passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('Desk');
  await page.getByRole('button', { name: 'Rename passkey' }).click();
  await list(page, 'Passkeys').getByText('Desk').waitFor();

  await removePassword.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove password' }).click();
  await page.getByText('You have no password').waitFor();
  await page.getByRole('button', { name: 'Actions for Desk' }).click();
  await page.getByRole('menuitem', { name: 'Remove passkey' }).click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await page.getByRole('alert').getByText('That conflicts with what is there').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();

  // The passkey proves who the user is.
  await ageSessions(service, page);
  await page.getByRole('button', { name: 'Set a password' }).click();
  await page.getByLabel('New password').fill(newPassword);
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await page.getByText('The password is saved.').waitFor();
});

test('one-time codes are set up, asked for, replaced in an emergency, and switched off', async () => {
  const page = await openAccount('codes@example.net');
  await page.getByRole('button', { name: 'Set up one-time codes' }).click();
  await page.getByRole('button', { name: 'Get the secret' }).click();
  await page.getByRole('img', { name: 'QR code with the secret' }).waitFor();
  const uri =
    (await page.getByRole('link', { name: 'Open it in an app on this device' }).getAttribute('href')) ?? '';
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const app = new TOTP({ secret });
  await page.getByLabel('Code of the app').fill(app.generate());
  await page.getByRole('button', { name: 'Switch on' }).click();
  const kept = page.getByRole('dialog', { name: 'Recovery codes', exact: true });
  const [recoveryCode = ''] = (await kept.locator('pre').innerText()).split('\n');
  await page.keyboard.press('Escape');
  await kept.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByText('10 recovery codes left').waitFor();

  const other = await open();
  await signIn(other, 'codes@example.net');
  await other.getByLabel('One-time code').fill(recoveryCode);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByRole('heading', { name: 'Domains' }).waitFor();
  await other.goto('/account');
  await other.getByText('9 recovery codes left').waitFor();
  await other.getByRole('button', { name: 'Make new recovery codes' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Make new recovery codes' }).click();
  const renewed = other.getByRole('dialog', { name: 'Recovery codes', exact: true });
  expect(await renewed.locator('pre').innerText()).not.toContain(recoveryCode);
  await other.getByRole('button', { name: 'I have kept them' }).click();
  await other.getByText('10 recovery codes left').waitFor();
  await other.getByRole('button', { name: 'Switch off' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await other.getByText('One-time codes are off.').waitFor();
});

test('a session elsewhere is ended, and then all are', async () => {
  const page = await openAccount('sessions@example.net');
  const other = await open({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
  });
  await signIn(other, 'sessions@example.net');
  await other.getByRole('heading', { name: 'Domains' }).waitFor();
  await page.reload();
  await expect.poll(() => list(page, 'Sessions').count()).toBe(2);
  await page.getByRole('button', { name: 'End the session of Safari on iPhone' }).click();
  await page.getByRole('button', { name: 'End session' }).click();
  await page.getByText('The session has ended.').waitFor();
  await expect.poll(() => list(page, 'Sessions').count()).toBe(1);
  await other.goto('/domains');
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();

  await page.getByRole('button', { name: 'Log out everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log out everywhere' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('the request that is shown does the same with curl', async () => {
  const page = await openAccount('curl@example.net');
  await page.getByRole('button', { name: 'Change name' }).click();
  await page.getByLabel('Name', { exact: true }).fill("O'Hara");
  await page.getByText('Show request').click();
  const [login, rename] = await page.getByRole('dialog').locator('pre').allInnerTexts();
  const folder = makeFolder();
  const run = (command: string) =>
    execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  run(login.replace('…', PASSWORD));
  expect(run(rename)).toContain(`"name":"O'Hara"`);
});
