import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileText, signFile } from '../../src/dnssec/sign-file.test-support.ts';
import { ownerToken } from '../harness/people.ts';
import {
  addAuthenticator,
  call,
  findViolations,
  joinAs,
  openConsole,
  openOwnAccount,
  sidewaysScroll,
  type Page,
} from './console-page.ts';

/*
 * Each screen at the widths of a desk and a phone, in both themes: readable for everybody (axe), and nothing to scroll to the side.
 * `SCREENSHOTS` names a folder for pictures.
 */

const { service, open } = await openConsole();
const folder = process.env['SCREENSHOTS'];
const domain = 'example.com';
const long = `"v=DKIM1; k=rsa; p=${'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'.repeat(8)}"`;

await call(service, 'POST', '/v2/domains', { domain, ip: '192.0.2.1' });
await call(service, 'POST', '/v2/domains', { domain: 'xn--mnchen-3ya.example', dns_sec: 'enabled' });
await call(service, 'POST', '/v2/domains', { domain: `${'a-long-name-'.repeat(5)}b.example` });
await call(service, 'POST', '/v2/domains', { domain: 'gone.example' });
await call(service, 'DELETE', '/v2/domains/gone.example');
await call(service, 'POST', `/v2/domains/${domain}/batch`, {
  create: [
    { type: 'MX', name: '', data: 'mail.example.com', priority: 10, ttl: 3600 },
    { type: 'A', name: 'mail', data: '192.0.2.3', ttl: 3600 },
    { type: 'AAAA', name: 'www', data: '2001:db8::7', ttl: 300 },
    { type: 'CNAME', name: 'old', data: 'legacy.example.net', ttl: 86400 },
    { type: 'TXT', name: 'mail._domainkey', data: long, ttl: 3600 },
    { type: 'CAA', name: '', data: '0 issue "letsencrypt.org"', ttl: 3600 },
    { type: 'SRV', name: '_sip._tcp', data: '0 5 5060 mail.example.com', ttl: 3600 },
    { type: 'HTTPS', name: 'www', data: '1 . alpn=h2,h3', ttl: 300 },
  ],
});
await call(service, 'POST', '/v2/keys', {
  label: 'acme on web1',
  template: 'certificates',
  host: 'www.example.com',
  networks: ['192.0.2.0/24', '2001:db8::/32'],
  date_expires: new Date(Date.now() + 30 * 86_400_000).toISOString(),
});

await call(service, 'PATCH', `/v2/domains/${domain}/soa`, { email: 'dns-admin@example.net' });

const sizes = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

async function look(page: Page, name: string): Promise<void> {
  const width = page.viewportSize()?.width ?? 0;
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    // Colours are those of the desk: the phone is looked at in one theme.
    const rules = theme === 'light' ? 'all' : 'colours';
    if (width > sizes.phone.width || theme === 'light')
      expect.soft(await findViolations(page, rules), `${name}, ${theme}`).toEqual([]);
    expect.soft(await sidewaysScroll(page), name).toBeLessThanOrEqual(0);
    if (folder === undefined) continue;
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`) });
  }
  await lookNarrow(page, name);
}

/** On the narrowest phone, and at the desk with letters of twice the size, nothing scrolls to the side (WCAG 1.4.10 and 1.4.4). */
async function lookNarrow(page: Page, name: string): Promise<void> {
  const size = page.viewportSize();
  const isPhone = size?.width === sizes.phone.width;
  const resize = (isNarrow: boolean): Promise<unknown> =>
    isPhone
      ? page.setViewportSize({ ...size, width: isNarrow ? 320 : size.width })
      : page.evaluate(`document.documentElement.style.fontSize = '${isNarrow ? '200%' : ''}'`);
  await resize(true);
  // An open menu moves after the page.
  await expect
    .poll(() => sidewaysScroll(page), { message: `${name}, narrower or larger` })
    .toBeLessThanOrEqual(0);
  await resize(false);
}

test.each(Object.entries(sizes))(
  'every screen is readable on a %s in both themes',
  async (size, viewport) => {
    const page = await open({ viewport, hasTouch: size === 'phone', isMobile: size === 'phone' });
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await look(page, 'sign-in');
    await page.goto(`/invite#${await ownerToken(service)}`);
    await page.getByRole('button', { name: 'Join' }).waitFor();
    await look(page, 'invitation');
    await joinAs(page, `/invite#${await ownerToken(service)}`, `${size}@example.net`);
    await look(page, 'passkey-offer');
    await page.getByRole('button', { name: 'Go to your domains' }).click();
    await page.getByRole('link', { name: domain }).waitFor();
    await look(page, 'domains');
    await page.getByRole('button', { name: 'Find everything' }).click();
    await page.getByRole('option', { name: 'münchen.example' }).waitFor();
    await look(page, 'palette');
    await page.getByRole('combobox').fill('mail');
    await page.getByRole('option', { name: 'mail._domainkey.example.com' }).waitFor();
    await look(page, 'palette-records');
    await page.getByRole('combobox').fill('xn--mnchen-3ya');
    await page.getByRole('option', { name: 'münchen.example' }).first().waitFor();
    await look(page, 'palette-domain');
    await page.getByRole('combobox').fill('mial');
    await page.getByText('Nothing matches “mial”.').first().waitFor();
    await look(page, 'palette-nothing');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.goto('/search?q=mail');
    await page.getByRole('list', { name: 'Records that were found' }).getByText('DKIM1').waitFor();
    await look(page, 'search');
    await page.goto('/domains');
    await page.getByRole('button', { name: `Actions for ${domain}` }).click();
    await page.getByRole('menuitem', { name: 'Delete domain' }).waitFor();
    await look(page, 'domain-menu');
    await page.getByRole('menuitem', { name: 'Delete domain' }).click();
    await page.getByText('Show request').click();
    await look(page, 'delete-domain');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByLabel('Domain name').fill('bücher.example');
    await page.getByText('bücher.example can be added.').waitFor();
    await look(page, 'new-domain');
    await page.goto('/domains/deleted');
    await page.getByText('gone.example').waitFor();
    await look(page, 'deleted-domains');
    await page.goto('/domains?search=nothing');
    await page.getByText('No domain matches').waitFor();
    await look(page, 'no-match');
    await page.goto('/nowhere');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await look(page, 'not-found');
    await page.goto(`/d/${domain}/nameservers`);
    await page.getByText('ns2.zonewright.example').first().waitFor();
    await page.getByText('It is not known how the domain is delegated').waitFor();
    await look(page, 'nameservers');
    await page.goto(`/d/unknown.example/records`);
    await page.getByRole('alert').first().waitFor();
    await look(page, 'unknown-domain');
  },
);

test.each(Object.entries(sizes))(
  'records, editor and review are readable on a %s in both themes',
  async (size, viewport) => {
    const page = await open({ viewport, hasTouch: size === 'phone', isMobile: size === 'phone' });
    await joinAs(page, `/invite#${await ownerToken(service)}`, `${size}2@example.net`);
    await page.goto(`/d/${domain}/records`);
    const grid = page.getByRole('grid');
    await grid.waitFor();
    await page.getByText('Live on 1 of 1').waitFor();
    await look(page, 'records');
    await rowOf(page, 'www', 'AAAA').getByRole('button', { name: 'Edit' }).click();
    const editor = page.getByRole('dialog');
    await editor.getByLabel('Address').fill('2001:db8::zz');
    await look(page, 'editor-problem');
    await editor.getByLabel('Address').fill('2001:db8::8');
    await editor.getByRole('button', { name: 'Stage', exact: true }).click();
    await rowOf(page, 'old', 'CNAME').getByRole('gridcell').first().focus();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: '+ Record' }).click();
    await editor.getByLabel('Type').selectOption('SRV');
    await editor.getByLabel('Name', { exact: true }).fill('_xmpp._tcp');
    await editor.getByLabel('Raw data').fill('0 5 5222 chat.example.com');
    await look(page, 'editor-srv');
    await editor.getByLabel('Type').selectOption('TXT');
    await editor.getByLabel('Text').fill('v=spf1 mx -all');
    await editor.getByLabel('Type').selectOption('SRV');
    await editor.getByLabel('Raw data').fill('0 5 5222 chat.example.com');
    await editor.getByRole('button', { name: 'Stage', exact: true }).click();
    await page.getByRole('button', { name: '+ Record' }).click();
    await editor.getByLabel('Type').selectOption('TXT');
    await editor.getByLabel('Name', { exact: true }).fill('long._domainkey');
    await editor.getByLabel('Text').fill(long);
    await editor.getByRole('button', { name: 'Stage', exact: true }).click();
    await page.getByText('4 staged. Nothing is live yet.').waitFor();
    await look(page, 'records-staged');
    await page.getByRole('checkbox', { name: 'Select all that match' }).click();
    await look(page, 'records-selected');
    await page.getByRole('button', { name: 'Select none' }).click();
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByText('The changes are possible').waitFor();
    await look(page, 'review');
    await page.getByText('Show request').click();
    await look(page, 'review-request');
  },
);

test.each(Object.entries(sizes))(
  'the pages of a domain are readable on a %s in both themes',
  async (size, viewport) => {
    const page = await open({ viewport, hasTouch: size === 'phone', isMobile: size === 'phone' });
    await joinAs(page, `/invite#${await ownerToken(service)}`, `${size}-domain@example.net`);
    await page.goto(`/d/${domain}/history`);
    await page
      .getByRole('button', { name: /^Show: / })
      .first()
      .click();
    await page.getByRole('list', { name: 'SOA' }).waitFor();
    await page
      .getByRole('button', { name: /^Show: / })
      .first()
      .click();
    await page.getByRole('list', { name: 'What was changed' }).first().waitFor();
    await look(page, 'history');
    await page
      .getByRole('link', { name: /^Zone then: / })
      .last()
      .click();
    await page.getByLabel('The zone as it was').waitFor();
    await page.getByRole('button', { name: /^Restore this state/ }).waitFor();
    await look(page, 'state-then');
    await page.goto(`/d/${domain}/ask`);
    await page.getByLabel('Name').fill('www');
    await page.getByLabel('Type').fill('aaaa');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('There is an answer.').waitFor();
    await look(page, 'ask');
    await page.goto(`/d/${domain}/import`);
    await page.getByLabel('Zone file', { exact: true }).fill('www 300 IN A 192.0.2.300\nmx MX mail\n');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('Line 1, column').waitFor();
    await look(page, 'import-problems');
    await page
      .getByLabel('Zone file', { exact: true })
      .fill(
        '@ 3600 IN NS ns1.other-provider.example.\nnew 300 IN A 192.0.2.30\nold 300 IN CNAME legacy.example.net.\n',
      );
    await page.getByRole('radio', { name: /^Replace/ }).check();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('button', { name: /^Import \d+ changes/ }).waitFor();
    await page.getByText('record is left out').click();
    await look(page, 'import-plan');
    await call(service, 'POST', '/v2/domains', { domain: `signed-${size}.example` });
    await page.goto(`/d/signed-${size}.example/import`);
    await page.getByRole('radio', { name: /^Serve as it is signed/ }).check();
    await page
      .getByLabel('Zone file', { exact: true })
      .fill(signFile(`signed-${size}.example`, fileText(Math.floor(Date.now() / 1000) + 60)));
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('button', { name: 'Serve this zone' }).waitFor();
    await look(page, 'import-presigned');
    await page.getByRole('button', { name: 'Serve this zone' }).click();
    await page.getByRole('link', { name: 'Go to the records' }).click();
    await page.getByText('Another signer has signed this zone.').waitFor();
    await page.getByRole('grid').waitFor();
    await look(page, 'records-presigned');
    await page.goto(`/d/${domain}/dnssec`);
    await page.getByRole('button', { name: 'Sign the domain' }).waitFor();
    await look(page, 'dnssec-unsigned');
    await page.getByRole('button', { name: 'Sign with a key from elsewhere' }).click();
    await page.getByRole('dialog').waitFor();
    await look(page, 'dnssec-import-key');
    await page.goto('/d/xn--mnchen-3ya.example/dnssec');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await look(page, 'dnssec');
    await page.getByRole('button', { name: 'Stop at once' }).click();
    await page.getByRole('dialog').waitFor();
    await look(page, 'dnssec-stop');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Exchange the key' }).click();
    await page.getByRole('dialog').waitFor();
    await look(page, 'dnssec-roll');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Add key of another provider' }).click();
    await page.getByRole('dialog').waitFor();
    await look(page, 'dnssec-foreign-key');
  },
);

test.each(Object.entries(sizes))(
  'the pages of the account are readable on a %s in both themes',
  async (size, viewport) => {
    const page = await open({ viewport, hasTouch: size === 'phone', isMobile: size === 'phone' });
    await addAuthenticator(page);
    await joinAs(page, `/invite#${await ownerToken(service)}`, `${size}3@example.net`);
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await page.getByRole('link', { name: domain }).waitFor();
    await page.getByRole('button', { name: /^Menu: / }).click();
    await look(page, 'user-menu');
    await page.getByRole('menuitem', { name: 'My account' }).click();
    await page.getByText('this one').waitFor();
    await look(page, 'account');
    await page.getByRole('button', { name: 'Set up one-time codes' }).click();
    await look(page, 'codes-start');
    await page.getByRole('button', { name: 'Get the secret' }).click();
    await page.getByRole('img', { name: 'QR code with the secret' }).waitFor();
    await look(page, 'codes-secret');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Show request').click();
    await look(page, 'new-password');
  },
);

test.each(Object.entries(sizes))(
  'the pages of keys are readable on a %s in both themes',
  async (size, viewport) => {
    const page = await open({ viewport, hasTouch: size === 'phone', isMobile: size === 'phone' });
    await joinAs(page, `/invite#${await ownerToken(service)}`, `${size}4@example.net`);
    await page.goto('/keys');
    await page.getByRole('list', { name: 'Keys' }).waitFor();
    await look(page, 'keys');
    await page.getByRole('button', { name: 'Actions for acme on web1' }).first().click();
    await page.getByRole('menuitem', { name: 'Revoke key' }).click();
    await look(page, 'revoke-key');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.goto('/keys/new');
    await page.getByLabel('Label').fill('acme on web2');
    await page.getByRole('textbox', { name: 'Host' }).fill('www.example.com');
    await page.getByText(/^May /).waitFor();
    await look(page, 'new-key');
    await page.getByRole('radio', { name: 'Custom' }).check();
    await page.getByLabel('Create records').check();
    await page.getByText(/^May create/).waitFor();
    await look(page, 'new-key-custom');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Copy this key now. It is not shown again.').waitFor();
    await look(page, 'new-key-shown');
  },
);

test.each(Object.entries(sizes))(
  'the pages of people are readable on a %s in both themes',
  async (size, viewport) => {
    const page = await open({ viewport, hasTouch: size === 'phone', isMobile: size === 'phone' });
    await openOwnAccount(service, page, `Example ${size} Ltd`, `${size}5@example.net`);
    const guest = await open();
    await page.goto('/people');
    await page.getByRole('list', { name: 'Members' }).waitFor();
    await page.getByText('None. An invitation').waitFor();
    await look(page, 'people-alone');
    await page.getByRole('button', { name: '+ Invite' }).click();
    await page.getByRole('radio', { name: 'Single domains' }).check();
    await page.getByLabel('Edits these domains').fill('example.com münchen.example');
    await look(page, 'invite');
    await page.getByRole('button', { name: 'Make the link' }).click();
    const link = await page.getByRole('dialog').getByText(/#zwi_/).innerText();
    await look(page, 'invitation-link');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await joinAs(guest, link, `guest-${size}@example.net`);
    await page.getByRole('button', { name: '+ Invite' }).click();
    await page.getByLabel('Email').fill('somebody.with.a.long.name@department.example.net');
    await page.getByRole('button', { name: 'Make the link' }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.reload();
    await page.getByText('Edits example.com, münchen.example').waitFor();
    await look(page, 'people');
    await page.getByRole('button', { name: `Actions for guest-${size}@example.net` }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await look(page, 'remove-member');
    await guest.setViewportSize(viewport);
    await guest.goto('/people');
    await guest.getByText('Owners see who belongs').waitFor();
    await look(guest, 'people-hidden');
  },
);

test.each(Object.entries(sizes))('the trail is readable on a %s in both themes', async (size, viewport) => {
  const page = await open({ viewport, hasTouch: size === 'phone', isMobile: size === 'phone' });
  await joinAs(page, `/invite#${await ownerToken(service)}`, `${size}6@example.net`);
  await page.goto('/trail');
  await page.getByText('Invitation accepted').first().waitFor();
  await look(page, 'trail');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('dialog').getByText('Show request').click();
  await look(page, 'trail-export');
  await page.goto('/operator/nameservers');
  await page.getByText('has all changes').waitFor();
  await look(page, 'operator-nameservers');
  await page.goto('/operator/health');
  await page.getByText('None is known.').waitFor();
  await look(page, 'health');
  await page.goto('/operator/trail?action=session.&from=2026-01-01&object=nothing.example');
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  await look(page, 'trail-empty');
  if (size === 'phone') await page.getByRole('button', { name: 'Places' }).click();
  await look(page, 'places');
});

test.each(Object.entries(sizes))(
  'the pages of accounts are readable on a %s in both themes',
  async (size, viewport) => {
    const name = `Customer ${size} Ltd`;
    await openOwnAccount(service, await open(), name, `dns@${size}.example`);
    const page = await open({ viewport, hasTouch: size === 'phone', isMobile: size === 'phone' });
    await joinAs(page, `/invite#${await ownerToken(service)}`, `${size}7@example.net`);
    await page.goto('/operator/accounts?search=nothing');
    await page.getByText('No account has').waitFor();
    await look(page, 'accounts-no-match');
    await page.goto('/operator/accounts');
    await page.getByRole('link', { name }).waitFor();
    await page.getByRole('button', { name: '+ New account' }).click();
    await look(page, 'new-account');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name }).click();
    await page.getByText('No operator looks into').waitFor();
    await look(page, 'account-details');
    const choose = async (action: string): Promise<void> => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await choose('Suspend account');
    await page
      .getByLabel('Reason')
      .fill('Domains of this account send unsolicited mail: write to abuse@example.net');
    await look(page, 'suspend-account');
    await page.getByRole('button', { name: 'Suspend account' }).click();
    await page.getByText('Suspended since').waitFor();
    await page.getByRole('button', { name: 'Change limits' }).click();
    await page.getByText('By default 100,000.').waitFor();
    await look(page, 'account-limits');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Look into its domains' }).click();
    await page.getByLabel('Reason').fill('Ticket 4711: mail does not arrive');
    await page.getByText('Show request').last().click();
    await look(page, 'access');
    await page.getByRole('button', { name: 'Look into it', exact: true }).click();
    await page.getByText(`You look into ${name}`).waitFor();
    await page.getByText('The account has no domain').waitFor();
    await look(page, 'access-domains');
    await page.goto('/operator/accesses');
    await page.getByText('Ticket 4711').waitFor();
    await page.getByRole('link', { name }).waitFor();
    await look(page, 'own-accesses');
    await page.getByRole('link', { name }).click();
    await page.getByText('Ticket 4711').waitFor();
    await look(page, 'account-suspended');
    await choose('Delete account');
    await page.getByText('Everything can be restored until').waitFor();
    await look(page, 'delete-account');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.goto('/operator/accounts');
    await page.getByText('Suspended').first().waitFor();
    await look(page, 'accounts');
  },
);

function rowOf(page: Page, name: string, type: string) {
  return page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
    .filter({ hasText: type });
}
