import { expect, test } from 'vitest';
import { newKeyPair } from '../../src/dnssec/key-pair.test-support.ts';
import { fileText, readSignerKey, signFile } from '../../src/dnssec/sign-file.test-support.ts';
import { call, openConsole, openViewer, type Page } from './console-page.ts';
import { openRecords } from './record-pages.ts';

/* Keys that come from elsewhere: a domain moves here with its key, is signed by two providers, or is signed by another one. */

const here = await openConsole();
const { service } = here;

/** The DNSSEC page of a new domain. */
async function openDnssec(dnsSec: 'enabled' | 'disabled'): Promise<{ page: Page; domain: string }> {
  const { page, domain } = await openRecords(here);
  await call(service, 'PATCH', `/v2/domains/${domain}`, { dns_sec: dnsSec });
  await page.getByRole('link', { name: 'DNSSEC' }).click();
  return { page, domain };
}

function newPem(): string {
  const { privateKey } = newKeyPair('ec', { namedCurve: 'P-256' });
  return String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
}

/** A key of algorithm 13 as another provider publishes it. */
function newDnskey(): string {
  const { x = '', y = '' } = newKeyPair('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const octets = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return `257 3 13 ${octets.toString('base64')}`;
}

function keyRow(page: Page, text: string) {
  return page.getByRole('list', { name: 'Keys' }).getByRole('listitem').filter({ hasText: text });
}

/** Chooses an action of the key whose row has a text. */
async function choose(page: Page, text: string, action: string): Promise<void> {
  await keyRow(page, text)
    .getByRole('button', { name: /^Actions for key/ })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('a domain is signed with the key that it has elsewhere, and nothing shows that key', async () => {
  const { page, domain } = await openDnssec('disabled');
  await page.getByRole('button', { name: 'Sign with a key from elsewhere' }).click();
  const dialog = page.getByRole('dialog');
  const sign = dialog.getByRole('button', { name: 'Sign with this key' });
  expect(await sign.getAttribute('title')).toBe('Paste or choose a private key first.');
  await dialog.getByLabel('Private key').fill('no key at all');
  await sign.click();
  await dialog.getByRole('alert').getByText('The service cannot accept that').waitFor();
  const pem = newPem();
  await dialog.locator('input[type=file]').setInputFiles({
    name: `K${domain}.pem`,
    mimeType: 'application/x-pem-file',
    buffer: Buffer.from(pem),
  });
  await expect.poll(() => dialog.getByLabel('Private key').inputValue()).toContain('PRIVATE KEY');
  await dialog.getByText('Show request').click();
  const shown = await dialog.locator('details').innerText();
  expect(shown).toContain(`zonewright domain dnssec key add ${domain} --private-key`);
  expect(shown).not.toContain(pem.split('\n')[1]);
  await sign.click();
  await page.getByText(/is signed with the key \d+\./).waitFor();
  await keyRow(page, 'Imported').waitFor();
  expect(await service.dns.look(domain, 'DNSKEY')).toHaveLength(1);
});

test('a key of another provider is published beside the own one, no longer announced, and removed', async () => {
  const { page, domain } = await openDnssec('enabled');
  await page.getByRole('button', { name: 'Add key of another provider' }).click();
  const dialog = page.getByRole('dialog');
  const [flags, protocol, algorithm, key] = newDnskey().split(' ');
  // As `dig +multiline` shows it.
  await dialog
    .getByLabel('DNSKEY record or its data')
    .fill(
      `${domain}. 3600 IN DNSKEY ${flags} ${protocol} ${algorithm} (\n\t${key.slice(0, 40)}\n\t${key.slice(40)}\n\t) ; KSK`,
    );
  await dialog.getByRole('button', { name: 'Add key' }).click();
  await keyRow(page, 'Of another provider').waitFor();
  await expect.poll(() => service.dns.look(domain, 'DNSKEY')).toHaveLength(2);
  await page.getByRole('button', { name: 'Exchange the key' }).click();
  await dialog.getByText('The other providers have to publish the new key as well').waitFor();
  expect(await dialog.getByRole('combobox').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Copy: Whole record' }).nth(1).waitFor();

  await choose(page, 'Of another provider', 'Stop asking for its DS record');
  await dialog.getByText('The step before the other provider leaves.').waitFor();
  await dialog.getByRole('button', { name: 'Stop asking' }).click();
  await keyRow(page, 'The parent zone is not asked for its DS record.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Copy: Whole record' }).count()).toBe(1);

  // The own key is the only one that is left.
  await choose(page, 'Made here', 'Stop asking for its DS record');
  await dialog.getByRole('button', { name: 'Stop asking' }).click();
  await dialog.getByRole('alert').getByText('That conflicts with what is there').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await choose(page, 'Of another provider', 'Remove key');
  await dialog.getByRole('button', { name: 'Remove key' }).click();
  await page.getByText(/^The key \d+ is removed\.$/).waitFor();
  await expect.poll(() => keyRow(page, 'Of another provider').count()).toBe(0);
  expect(await service.dns.look(domain, 'DNSKEY')).toHaveLength(1);
});

test('a zone that another signer has signed is signed here with its key', async () => {
  const { page, domain } = await openDnssec('disabled');
  const pem = newPem();
  const serial = (await service.dns.serial(domain)) + 10;
  const file = signFile(domain, fileText(serial), { key: readSignerKey(pem) });
  const headers = { 'content-type': 'text/dns' };
  const path = `/v2/domains/${domain}/zonefile?presigned=true`;
  const reply = await service.http.put(path, file, { headers });
  expect(reply.status, reply.text).toBe(200);
  await page.reload();
  await keyRow(page, 'From the zone file').waitFor();
  await page.getByRole('button', { name: 'Sign it here with its key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Private key').fill(newPem());
  await dialog.getByRole('button', { name: 'Sign with this key' }).click();
  await dialog.getByRole('alert').getByText('none with which').waitFor();
  await dialog.getByLabel('Private key').fill(pem);
  await dialog.getByRole('button', { name: 'Sign with this key' }).click();
  await keyRow(page, 'Imported').waitFor();
  await page.getByRole('button', { name: 'Exchange the key' }).waitFor();
});

test('where no server of the parent zone answers, the owner says what it has', async () => {
  const { page } = await openDnssec('enabled');
  await page.getByRole('button', { name: 'Switch off without an outage' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off without an outage' }).click();
  await page.getByText('as soon as the servers have it').waitFor();
  await page.getByRole('button', { name: 'Say what the parent zone has' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Too early an answer takes the domain off the net').waitFor();
  await dialog.getByLabel('Their TTL').fill('soon');
  await dialog.getByText('A time is needed').waitFor();
  await dialog.getByLabel('Their TTL').fill('1 h');
  await dialog.getByText('Show request').click();
  await dialog.getByText('--none --ttl 3600').waitFor();
  await dialog.getByRole('button', { name: 'That is what it has' }).click();
  const said = page.getByRole('listitem').filter({ hasText: 'What you have said' });
  await said.getByText('It has no DS record.').waitFor();
});

test('a viewer copies keys, and changes none', async () => {
  const { page: owner, domain } = await openDnssec('enabled');
  const page = await openViewer(here.open, owner);
  await page.goto(`/d/${domain}/dnssec`);
  const button = page.getByRole('button', { name: 'Add key of another provider' });
  await button.waitFor();
  expect(await button.getAttribute('title')).toBe('You are a viewer. Ask an owner for edit rights.');
  await page.getByRole('button', { name: /^Actions for key/ }).click();
  await page.getByRole('menuitem', { name: 'Copy DNSKEY data' }).waitFor();
  await expect.poll(() => page.getByRole('menuitem').count()).toBe(2);
});
