import { expect, test } from 'vitest';
import { ownerToken } from '../harness/people.ts';
import { ageSessions } from './age-sessions.ts';
import { joinAs, openConsole, openOwnAccount, originOf, PASSWORD, type Page } from './console-page.ts';

const { service, open } = await openConsole();

/** The page of an operator who has signed in. */
async function openOperator(email: string, path = '/operator/accounts'): Promise<Page> {
  const page = await open();
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, email);
  await page.goto(path);
  return page;
}

/** An account with an owner on a page, who has a domain. */
async function newCustomer(name: string, domain: string): Promise<{ owner: Page; id: string }> {
  const owner = await open();
  await openOwnAccount(service, owner, name, `dns@${domain}`);
  expect(await send(owner, 'POST', '/domains', { domain, ip: '192.0.2.1' })).toBe(201);
  const reply = await service.http.request('GET', '/v2/accounts?per_page=500');
  const { accounts } = reply.json as unknown as { accounts: { id: string; name: string }[] };
  return { owner, id: accounts.find((one) => one.name === name)?.id ?? '' };
}

/** Sends a request as the page does, and returns the status of the answer. */
function send(page: Page, method: string, path: string, body?: object): Promise<number> {
  const init = {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  };
  return page.evaluate(async ([url, options]) => (await fetch(url, options)).status, [
    `/v2${path}`,
    init,
  ] as const);
}

async function openAccount(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

function uses(page: Page, label: string) {
  return page.getByRole('list', { name: 'Use and limits' }).getByRole('listitem').filter({ hasText: label });
}

test('an operator makes an account, and its owner joins by the link, which is shown once', async () => {
  const page = await openOperator('creates@example.net');
  await page.getByRole('button', { name: '+ New account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Fresh Ltd');
  await dialog.getByLabel('Email', { exact: true }).fill('dns@fresh.example');
  await dialog.getByLabel('Email of the first owner').fill('owner@fresh.example');
  await dialog.getByRole('button', { name: 'Create account' }).click();
  const ready = page.getByRole('dialog', { name: 'Fresh Ltd is ready' });
  const link = await ready.getByText(/#zwi_/).innerText();
  await ready.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('link', { name: 'Fresh Ltd' }).waitFor();
  await expect.poll(() => page.getByText(/#zwi_/).count()).toBe(0);
  const owner = await open();
  await joinAs(owner, `${originOf(service)}/invite${new URL(link).hash}`, 'owner@fresh.example');
  await owner.getByRole('button', { name: 'Go to your domains' }).click();
  await owner.getByRole('heading', { name: 'Add your first domain' }).waitFor();
});

test('accounts are found by a part of their name, address or state, in the address', async () => {
  await newCustomer('Findable Ltd', 'findable.example');
  const page = await openOperator('finds@example.net');
  const list = page.getByRole('list', { name: 'Accounts' });
  await list.getByRole('link', { name: 'Findable Ltd' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('DNS@findable');
  await expect.poll(() => page.url()).toContain('search=DNS');
  await page.getByText('1 account', { exact: true }).waitFor();
  await page.getByLabel('Find account').fill('nothing like it');
  await page.getByText('No account has “nothing like it”').waitFor();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await openAccount(page, 'Findable Ltd');
  await uses(page, 'Domains').getByText('1 of 100,000').waitFor();
});

test('an account is suspended with a reason, which its people read, and resumed', async () => {
  const { owner } = await newCustomer('Late Ltd', 'late.example');
  const page = await openOperator('suspends@example.net');
  await openAccount(page, 'Late Ltd');
  await choose(page, 'Late Ltd', 'Suspend account');
  await page.getByLabel('Reason').fill('The invoice is not paid');
  await page.getByRole('radio', { name: 'Stop answering' }).check();
  await page.getByText('Show request').last().click();
  await page.getByText('--stop-answers').waitFor();
  await page.getByRole('button', { name: 'Suspend account' }).click();
  await page.getByText('The invoice is not paid', { exact: true }).waitFor();
  await page.getByText('The nameservers do not answer for its domains.').waitFor();
  expect(await send(owner, 'POST', '/domains', { domain: 'more.late.example' })).toBe(403);
  await choose(page, 'Late Ltd', 'Change suspension');
  await page.getByRole('radio', { name: 'Go on answering' }).check();
  await page.getByRole('button', { name: 'Save suspension' }).click();
  await page.getByText('The nameservers go on answering for its domains.').waitFor();
  await page.getByRole('status').getByRole('button', { name: 'End suspension' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End suspension' }).click();
  await page.getByText('The suspension of Late Ltd has ended.').waitFor();
  await expect.poll(() => page.getByText('Suspended', { exact: true }).count()).toBe(0);
  expect(await send(owner, 'POST', '/domains', { domain: 'more.late.example' })).toBe(201);
});

test('limits are set in words, the others stay the defaults, and old sessions prove who they are', async () => {
  const { owner, id } = await newCustomer('Large Ltd', 'large.example');
  const page = await openOperator('limits@example.net');
  await openAccount(page, 'Large Ltd');
  await ageSessions(service, page);
  await page.getByRole('button', { name: 'Change limits' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByLabel('Password').fill(PASSWORD);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  const dialog = page.getByRole('dialog', { name: 'Limits of Large Ltd' });
  await dialog.getByText('By default 100,000.').waitFor();
  await dialog.getByLabel('Domains').fill('many');
  await dialog.getByText('A whole number is needed').waitFor();
  await dialog.getByLabel('Domains').fill('1');
  await dialog.getByLabel('Size of history').fill('2 GiB');
  await dialog.getByRole('button', { name: 'Save limits' }).click();
  await uses(page, 'Domains').getByText('1 of 1', { exact: true }).waitFor();
  await uses(page, 'Domains').getByText('Used up').waitFor();
  await uses(page, 'Size of history')
    .getByText(/of 2 GiB$/)
    .waitFor();
  expect(await send(owner, 'POST', '/domains', { domain: 'other.large.example' })).toBe(403);
  const { json } = await service.http.request('GET', `/v2/accounts/${id}/limits`);
  expect(json).toMatchObject({ limits: { domains: { limit: 1 }, history_octets: { limit: 2 ** 31 } } });
  await page.getByRole('button', { name: 'Change limits' }).click();
  expect(await dialog.getByLabel('Size of history').inputValue()).toBe('2 GiB');
  await dialog.getByLabel('Domains').fill('');
  await dialog.getByRole('button', { name: 'Save limits' }).click();
  await uses(page, 'Domains').getByText('1 of 100,000').waitFor();
});

test('an account is deleted by typing its name, and restored', async () => {
  const { owner } = await newCustomer('Gone Ltd', 'gone-account.example');
  const page = await openOperator('deletes@example.net');
  await openAccount(page, 'Gone Ltd');
  await choose(page, 'Gone Ltd', 'Delete account');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Everything can be restored until').waitFor();
  const button = dialog.getByRole('button', { name: 'Delete account' });
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  await dialog.getByLabel('Type Gone Ltd to delete it').fill('Gone Ltd');
  await button.click();
  await page.getByText(/^Deleted \d/).waitFor();
  expect(await send(owner, 'GET', '/domains')).toBe(403);
  await page.getByRole('status').getByRole('button', { name: 'Restore account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore account' }).click();
  await page.getByText('Gone Ltd is restored.').waitFor();
  await expect.poll(() => send(owner, 'GET', '/domains')).toBe(200);
});

test('an operator looks into a customer’s domains after saying why, as a viewer, and ends that', async () => {
  const { owner } = await newCustomer('Seen Ltd', 'seen.example');
  const page = await openOperator('visits@example.net');
  await openAccount(page, 'Seen Ltd');
  await page.getByText('No operator looks into the account now.').waitFor();
  await page.getByRole('button', { name: 'Look into its domains' }).click();
  await page.getByLabel('Reason').fill('Ticket 4711: mail does not arrive');
  await page.getByRole('button', { name: 'Look into it', exact: true }).click();
  await page.getByText('You look into Seen Ltd as a viewer').waitFor();
  await page.getByRole('link', { name: 'seen.example' }).click();
  await page.getByRole('grid').waitFor();
  await page.getByText('You are a viewer. Ask an owner for edit rights.').waitFor();
  // The window goes on after it is loaded again, and others are not in it.
  await page.reload();
  await page.getByRole('grid').waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'People' }).count()).toBe(0);
  const other = await page.context().newPage();
  await other.goto('/domains');
  await other.getByRole('heading', { name: 'Domains' }).waitFor();
  await expect.poll(() => other.getByText('You look into').count()).toBe(0);
  await expect.poll(() => other.getByRole('link', { name: 'seen.example' }).count()).toBe(0);
  await owner.goto('/trail');
  await owner.getByText('Access by an operator').first().waitFor();
  await owner.getByText('Ticket 4711').waitFor();
  await page.getByRole('button', { name: 'End access' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
  await page.getByText('Your access to Seen Ltd has ended.').waitFor();
  await page.getByRole('heading', { name: 'Seen Ltd' }).waitFor();
  await page.getByText('No operator looks into the account now.').waitFor();
  await page.goto('/d/seen.example/records');
  await page.getByRole('alert').first().waitFor();
  await expect.poll(() => page.getByText('You look into').count()).toBe(0);
});

test('an operator sees all its accesses with their reasons, and ends one', async () => {
  await newCustomer('First Ltd', 'first.example');
  await newCustomer('Second Ltd', 'second.example');
  const page = await openOperator('accesses@example.net', '/operator/accesses');
  await page.getByRole('heading', { name: 'You look into no account' }).waitFor();
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  for (const name of ['First Ltd', 'Second Ltd']) {
    await openAccount(page, name);
    await page.getByRole('button', { name: 'Look into its domains' }).click();
    await page.getByLabel('Reason').fill(`Ticket of ${name}`);
    await page.getByRole('button', { name: 'Look into it', exact: true }).click();
    await page.getByText(`You look into ${name} as a viewer`).waitFor();
    await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  }
  await page.getByRole('link', { name: 'Your accesses' }).click();
  const row = (name: string) =>
    page.getByRole('list', { name: 'Your accesses' }).getByRole('listitem').filter({ hasText: name });
  await row('First Ltd').getByText('Ticket of First Ltd').waitFor();
  await row('Second Ltd').getByText('Ticket of Second Ltd').waitFor();
  await page.getByRole('button', { name: 'End access: First Ltd' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
  await row('First Ltd').waitFor({ state: 'detached' });
  // The window stays in the other account, until that access ends as well.
  await page.getByText('You look into Second Ltd as a viewer').waitFor();
  await page.getByRole('button', { name: 'End access: Second Ltd' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
  await page.getByRole('heading', { name: 'You look into no account' }).waitFor();
  await expect.poll(() => page.getByText('You look into Second Ltd').count()).toBe(0);
});

test('operators cannot suspend their own account, and the page says so', async () => {
  const page = await openOperator('own@example.net');
  const own = await page.evaluate(async () => {
    const reply = (await (await fetch('/v2/session')).json()) as { accounts: { name: string }[] };
    return reply.accounts[0]?.name ?? '';
  });
  await openAccount(page, own);
  await page.getByText('You belong to this account').waitFor();
  await choose(page, own, 'Suspend account');
  await page.getByLabel('Reason').fill('By mistake');
  await page.getByRole('button', { name: 'Suspend account' }).click();
  await page.getByRole('alert').getByText('The service cannot accept that').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Open its domains' }).click();
  await page.getByRole('heading', { name: 'Domains' }).waitFor();
});

test('others find no way to the accounts, and learn why', async () => {
  const { owner, id } = await newCustomer('Plain Ltd', 'plain.example');
  for (const path of ['/operator/accounts', `/operator/accounts/${id}`]) {
    await owner.goto(path);
    await owner.getByText('Operators of the service see all accounts.').waitFor();
  }
  await owner.goto('/operator/accesses');
  await owner.getByText('Operators of the service look into accounts.').waitFor();
  await expect.poll(() => owner.getByRole('link', { name: 'Accounts', exact: true }).count()).toBe(0);
  await expect.poll(() => owner.getByRole('list', { name: 'Accounts' }).count()).toBe(0);
});
