import { expect, test } from 'vitest';
import { ownerToken } from '../harness/people.ts';
import { ageSessions } from './age-sessions.ts';
import { call, joinAs, joinInvited, openConsole, originOf, PASSWORD, type Page } from './console-page.ts';

const { service, open } = await openConsole();
await call(service, 'POST', '/v2/domains', { domain: 'example.com', ip: '192.0.2.1' });

async function openOwner(email: string, path = '/keys'): Promise<Page> {
  const page = await open();
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, email);
  await page.goto(path);
  return page;
}

function withKey(key: string) {
  return (method: string, path: string, body?: object) => service.http.request(method, path, body, { key });
}

/** Fills the form up to the choice of what the key is for. */
async function begin(page: Page, label: string, kind: string): Promise<void> {
  await page.getByLabel('Label').fill(label);
  await page.getByRole('radio', { name: kind }).check();
}

async function create(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Copy this key now. It is not shown again.').waitFor();
  return page.getByRole('status').getByText(/^zw/).innerText();
}

test('a key for certificates reads back as a sentence, is shown once, and may do just that', async () => {
  const page = await openOwner('certificates@example.net');
  await page.getByRole('button', { name: '+ New key' }).click();
  await begin(page, 'acme on web1', 'Certificates');
  await page.getByRole('textbox', { name: 'Host' }).fill('www.other.example');
  await page.getByRole('alert').getByText('The service cannot accept that').waitFor();
  await page.getByRole('textbox', { name: 'Host' }).fill('www.example.com');
  await page.getByText(/^May .*_acme-challenge\.www/).waitFor();
  const send = withKey(await create(page));
  const record = (name: string) => ({ type: 'TXT', name, data: '"proof"', ttl: 60 });
  const path = '/v2/domains/example.com/records';
  expect((await send('POST', path, record('_acme-challenge.www'))).status).toBe(201);
  expect((await send('POST', path, record('www'))).status).toBe(403);
  await page.getByRole('link', { name: 'Go to the keys' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'acme on web1' });
  await row.getByText(/Ends /).waitFor();
  await expect.poll(() => page.getByText(/^zw/).count()).toBe(0);
});

test('a key with rights of its own has what was chosen, and no more', async () => {
  const page = await openOwner('custom@example.net', '/keys/new');
  await begin(page, 'router', 'Custom');
  await page.getByLabel('See domains').check();
  await page.getByLabel('See records').check();
  await page.getByLabel('Records of these types').fill('a aaaa');
  await page.getByLabel('Export, check, see history').check();
  // Names and types do not go with exports.
  await expect.poll(() => page.getByLabel('Records of these types').count()).toBe(0);
  await page.getByLabel('Export, check, see history').uncheck();
  await page.getByRole('button', { name: 'Add another right' }).click();
  const second = page.getByRole('group', { name: 'Right 2: it may' });
  await second.getByLabel('Change records').check();
  await second.getByLabel('In these domains').fill('example.com');
  await page.getByText(/^May .*update/i).waitFor();
  const send = withKey(await create(page));
  const listed = await send('GET', '/v2/domains/example.com/records?type=NS');
  expect((listed.json as { records: unknown[] }).records).toEqual([]);
  expect((await send('POST', '/v2/domains', { domain: 'new.example' })).status).toBe(403);
});

test('a key is rotated, and then revoked by typing its label', async () => {
  await call(service, 'POST', '/v2/keys', { label: 'old router', scope: 'read' });
  const page = await openOwner('rotate@example.net');
  await page.getByRole('button', { name: 'Actions for old router' }).click();
  await page.getByRole('menuitem', { name: 'Rotate key' }).click();
  await page.getByLabel('The old key ends').selectOption('0');
  await page.getByRole('button', { name: 'Create the new key' }).click();
  const made = page.getByRole('dialog', { name: 'The key old router is ready' });
  const key = await made.getByText(/^zw/).innerText();
  await made.getByRole('button', { name: 'I have copied it' }).click();
  expect((await withKey(key)('GET', '/v2/domains')).status).toBe(200);

  const current = page.getByRole('listitem').filter({ hasText: 'old router' });
  await expect.poll(() => current.count()).toBe(1);
  await current.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Revoke key' }).click();
  const revoke = page.getByRole('button', { name: 'Revoke key' });
  await page.getByLabel('Type old router to revoke it').fill('old');
  expect(await revoke.getAttribute('aria-disabled')).toBe('true');
  await page.getByLabel('Type old router to revoke it').fill('old router');
  await revoke.click();
  await page.getByText('old router is revoked.').waitFor();
  await expect.poll(() => current.count()).toBe(0);
  expect((await withKey(key)('GET', '/v2/domains')).status).toBe(403);
});

test('a key whose time is over says so', async () => {
  const end = Date.now() + 1500;
  await call(service, 'POST', '/v2/keys', { label: 'over', date_expires: new Date(end).toISOString() });
  const page = await openOwner('over@example.net', '/keys/new');
  await expect.poll(() => Date.now()).toBeGreaterThan(end);
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('listitem').filter({ hasText: 'over' }).getByText('ended', { exact: true }).waitFor();
});

test('after ten minutes, creating a key asks who the user is, and then goes on', async () => {
  const page = await openOwner('stale@example.net', '/keys/new');
  await ageSessions(service, page);
  await begin(page, 'late', 'Read only');
  await page.getByText('once you have confirmed that it is you').waitFor();
  await page.getByRole('button', { name: 'Create key' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByLabel('Password').fill(PASSWORD);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('The key late is ready').waitFor();
});

test('editors see keys and viewers do not, and both learn who creates them', async () => {
  const editor = await open();
  await joinInvited(service, editor, { role: 'editor' }, 'editor@example.net');
  await editor.goto('/keys');
  await editor.getByRole('list', { name: 'Keys' }).waitFor();
  expect(await editor.getByRole('button', { name: '+ New key' }).getAttribute('aria-disabled')).toBe('true');
  await expect.poll(() => editor.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  await editor.goto('/keys/new');
  await editor.getByText('Owners create, rotate and revoke keys.').waitFor();
  const viewer = await open();
  await joinInvited(service, viewer, { role: 'viewer' }, 'viewer@example.net');
  await viewer.goto('/keys');
  await viewer.getByText('Owners and editors see the keys of the account.').waitFor();
  await expect.poll(() => viewer.getByRole('list', { name: 'Keys' }).count()).toBe(0);
});
