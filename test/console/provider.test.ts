import { expect, test } from 'vitest';
import { openOpenIdScene } from '../harness/openid-scene.ts';
import { ageSessions } from './age-sessions.ts';
import { call, openConsoleOf, type Page } from './console-page.ts';

/* Rule 80 in a browser: signing in at a real OpenID Connect provider. */

const { service, provider, newLinkedOwner } = await openOpenIdScene();
const origin = service.httpAddress;
const { open } = await openConsoleOf(service, [provider.issuer, `http://${origin}`]);
await call(service, 'POST', '/v2/domains', { domain: 'provided.example', ip: '192.0.2.1' });

/** The page on which the provider asks who somebody is. */
async function tellProvider(page: Page, login: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/**`);
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
}

/** The pages of the provider for somebody who comes for the first time, and agrees to tell the service. */
async function logIn(page: Page, login: string): Promise<void> {
  await tellProvider(page, login);
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('a button leads to the provider and back to the page that was asked for', async () => {
  const { login } = await newLinkedOwner();
  const page = await open({ baseURL: `http://${origin}` });
  await page.goto('/d/provided.example/records?q=192');
  await page.getByRole('button', { name: 'Continue with Test Login' }).click();
  await logIn(page, login);
  await page.getByRole('grid', { name: 'Records of provided.example' }).waitFor();
  expect(new URL(page.url()).search).toBe('?q=192');
});

test('where a session has ended, the provider opens in another window, and what was typed stays', async () => {
  const { login } = await newLinkedOwner();
  const page = await open({ baseURL: `http://${origin}` });
  await page.goto('/d/provided.example/records');
  await page.getByRole('button', { name: 'Continue with Test Login' }).click();
  await logIn(page, login);
  await page.getByRole('button', { name: '+ Record' }).click();
  await page.getByLabel('Address').fill('192.0.2.55');
  await page.evaluate(() => fetch('/v2/sessions', { method: 'DELETE' }).then(() => undefined));
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  const form = page.getByRole('dialog', { name: 'Your session has ended' });
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    form.getByRole('button', { name: 'Continue with Test Login' }).click(),
  ]);
  await other.getByRole('grid').waitFor();
  await form.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Address').inputValue()).toBe('192.0.2.55');
});

test('a user without a password proves with the provider who it is, in another window, and the form goes on', async () => {
  const { login, browser } = await newLinkedOwner();
  const removed = await browser.send('DELETE', '/v2/user/password');
  expect(removed.status, removed.text).toBe(204);
  const page = await open({ baseURL: `http://${origin}` });
  await page.goto('/keys/new');
  await page.getByRole('button', { name: 'Continue with Test Login' }).click();
  await logIn(page, login);
  await page.getByLabel('Label').fill('made after a proof');
  await ageSessions(service, page);
  await page.getByRole('radio', { name: 'Read only' }).check();
  const make = page.getByRole('button', { name: 'Create key' });
  await make.click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('button', { name: 'Continue with Test Login' }).click(),
  ]);
  await expect.poll(() => dialog.getByLabel('Password').count()).toBe(0);
  // The provider knows the browser, and asks again all the same.
  await tellProvider(other, login);
  await other.getByText('It is confirmed that it is you').waitFor();
  await page.getByText('Copy this key now. It is not shown again.').waitFor();
});
