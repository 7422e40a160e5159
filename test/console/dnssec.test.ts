import { expect, test } from 'vitest';
import { ownerToken } from '../harness/people.ts';
import { call, joinAs, openConsole, openViewer, originOf, type Page } from './console-page.ts';

/* A domain is signed, handed to its parent zone, and taken back, as people do it. The parent zone is a domain of the same account. */

const { service, open } = await openConsole();
const parent = 'above.example';
await call(service, 'POST', '/v2/domains', { domain: parent });

let count = 0;

async function openDnssec(
  dnsSec: 'enabled' | 'disabled',
): Promise<{ page: Page; domain: string; label: string }> {
  const label = `kid${++count}`;
  const domain = `${label}.${parent}`;
  await call(service, 'POST', '/v2/domains', { domain, ip: '192.0.2.1', dns_sec: dnsSec });
  const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, `${label}@example.net`);
  await page.goto(`/d/${domain}/records`);
  await page.getByRole('link', { name: 'DNSSEC' }).click();
  return { page, domain, label };
}

function putIntoParent(label: string, type: string, data: string): Promise<void> {
  return call(service, 'POST', `/v2/domains/${parent}/records`, { type, name: label, data, ttl: 300 });
}

async function removeFromParent(label: string, type: string): Promise<void> {
  const { json } = await service.http.get(`/v2/domains/${parent}/records?type=${type}&name=${label}`);
  for (const { id } of json.records ?? [])
    await call(service, 'DELETE', `/v2/domains/${parent}/records/${id}`);
}

test('a domain is signed, its DS record copied to the parent zone, and the page says that it is there', async () => {
  const { page, domain, label } = await openDnssec('disabled');
  await page.getByText('The domain is not signed').waitFor();
  await page.getByRole('button', { name: 'Sign the domain' }).click();
  await page.getByRole('heading', { name: 'DS record', exact: true }).waitFor();
  expect(await service.dns.look(domain, 'DNSKEY')).toHaveLength(1);
  const now = page.getByRole('list', { name: 'The way to verified answers' }).locator('[aria-current=step]');
  expect(await now.innerText()).toContain('DS record at your registrar');
  await page.getByRole('button', { name: 'Copy: Key tag' }).click();
  const tag = await page.evaluate<string>('navigator.clipboard.readText()');
  await page.getByRole('button', { name: 'Copy: Whole record' }).click();
  const ds = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(ds).toMatch(new RegExp(`^${tag} 13 2 [0-9A-F]{64}$`));
  await putIntoParent(label, 'NS', 'ns1.zonewright.example');
  await putIntoParent(label, 'DS', ds);
  await page.getByRole('button', { name: 'Look again' }).click();
  await page.getByText('Signed and verified').waitFor();
  await page.getByText('Its records were looked at.').waitFor();
  // The list of domains knows it as well.
  await page.getByRole('link', { name: 'Domains' }).first().click();
  await page.getByRole('listitem').filter({ hasText: domain }).getByText('DNSSEC on').waitFor();
});

test('signing is withdrawn without an outage, and the withdrawal is held and taken back', async () => {
  const { page, domain } = await openDnssec('enabled');
  await page.getByRole('button', { name: 'Switch off without an outage' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off without an outage' }).click();
  await page.getByText('The removal of the DS record is asked for').waitFor();
  expect(await service.dns.look(domain, 'DNSKEY')).toHaveLength(1);
  await page.getByRole('button', { name: 'Hold it' }).click();
  await page.getByText('held until you go on').waitFor();
  await page.getByRole('button', { name: 'Go on with it' }).click();
  await page.getByRole('button', { name: 'Hold it' }).waitFor();
  await page.getByRole('button', { name: 'Keep signing' }).click();
  await page.getByRole('button', { name: 'Switch off without an outage' }).waitFor();
});

test('stopping at once is blocked while the DS record stands, and asks for the name afterwards', async () => {
  const { page, domain, label } = await openDnssec('enabled');
  await page.getByRole('button', { name: 'Copy: Whole record' }).click();
  const ds = await page.evaluate<string>('navigator.clipboard.readText()');
  await putIntoParent(label, 'NS', 'ns1.zonewright.example');
  await putIntoParent(label, 'DS', ds);
  await page.getByRole('button', { name: 'Look again' }).click();
  await page.getByText('Signed and verified').waitFor();
  await page.getByText('Remove the DS at your registrar first.').waitFor();
  const stop = page.getByRole('button', { name: 'Stop at once' });
  expect(await stop.getAttribute('aria-disabled')).toBe('true');
  await removeFromParent(label, 'DS');
  await page.getByRole('button', { name: 'Look again' }).click();
  await page.getByText('The parent zone does not have the DS record yet').waitFor();
  await stop.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(`Type ${domain}`).fill('above.example');
  await page.keyboard.press('Enter');
  expect(await service.dns.look(domain, 'DNSKEY')).toHaveLength(1);
  await dialog.getByLabel(`Type ${domain}`).fill(domain);
  await dialog.getByRole('button', { name: 'Stop at once' }).click();
  await page.getByText('The domain is not signed').waitFor();
  expect(await service.dns.look(domain, 'DNSKEY')).toBe('NODATA');
});

test('a domain whose DS record names no key says that resolvers reject it, and how it is signed again', async () => {
  const { page, domain, label } = await openDnssec('enabled');
  await page.getByRole('button', { name: 'Copy: Whole record' }).click();
  const ds = await page.evaluate<string>('navigator.clipboard.readText()');
  await putIntoParent(label, 'NS', 'ns1.zonewright.example');
  await putIntoParent(label, 'DS', ds);
  await call(service, 'PATCH', `/v2/domains/${domain}?force=true`, { dns_sec: 'disabled' });
  await page.reload();
  await page.getByText('Resolvers reject the answers of this domain').waitFor();
  await page.getByRole('button', { name: 'Sign the domain' }).waitFor();
});

test('a key is exchanged for one of another algorithm, which is given up again; the proof is changed', async () => {
  const { page, domain } = await openDnssec('enabled');
  await page.getByRole('button', { name: 'Exchange the key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Algorithm').selectOption('15');
  await dialog.getByText('Show request').click();
  await dialog.getByText(`zonewright domain dnssec roll ${domain} --algorithm 15`).waitFor();
  await dialog.getByRole('button', { name: 'Exchange the key' }).click();
  await page.getByRole('heading', { name: 'A key with another algorithm comes in' }).waitFor();
  await page.getByText('15 Ed25519').waitFor();
  await page.getByRole('button', { name: 'Keep the present key' }).click();
  await page.getByRole('button', { name: 'Exchange the key' }).waitFor();
  await expect.poll(() => page.getByText('15 Ed25519').count()).toBe(0);
  await page.getByRole('radio', { name: /^NSEC3/ }).check();
  await page.getByRole('button', { name: 'Change the proof' }).click();
  await expect.poll(() => service.dns.look(domain, 'NSEC3PARAM')).toHaveLength(1);
  await page
    .getByRole('button', { name: 'Change the proof' })
    .and(page.locator('[title^="It is the one"]'))
    .waitFor();
});

test('a refusal of the service is shown in its words', async () => {
  const { page, domain } = await openDnssec('disabled');
  await call(service, 'POST', `/v2/domains/${domain}/records`, {
    type: 'NS',
    name: '*.wild',
    data: 'ns1.example.net',
    ttl: 300,
  });
  await page.getByRole('button', { name: 'Sign the domain' }).click();
  await page.getByRole('alert').getByText('wild').waitFor();
});

test('a viewer reads how a domain is signed, and can change nothing', async () => {
  const { page: owner, domain } = await openDnssec('enabled');
  const page = await openViewer(open, owner);
  await page.goto(`/d/${domain}/dnssec`);
  await page.getByRole('button', { name: 'Copy: Whole record' }).waitFor();
  for (const name of [
    'Switch off without an outage',
    'Stop at once',
    'Exchange the key',
    'Change the proof',
  ]) {
    const button = page.getByRole('button', { name });
    expect([name, await button.getAttribute('title')]).toEqual([
      name,
      'You are a viewer. Ask an owner for edit rights.',
    ]);
  }
});
