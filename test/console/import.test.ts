import { expect, test } from 'vitest';
import { fileText, newSignerKey, signFile } from '../../src/dnssec/sign-file.test-support.ts';
import { call, openConsole, openViewer, type Page } from './console-page.ts';
import { openRecords, record, untilKept } from './record-pages.ts';

/* Zone files are pasted or dropped, compared, and imported; broken ones say where. */

const here = await openConsole();
const { service } = here;

function area(page: Page) {
  return page.getByLabel('Zone file', { exact: true });
}

async function openImport(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Import zone file' }).click();
  await area(page).waitFor();
}

async function compare(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compare' }).click();
}

test('a broken file names its lines, which are mended in place, and the good one is imported', async () => {
  const { page, domain } = await openRecords(here, [record('old', '192.0.2.9')]);
  await openImport(page);
  await area(page).fill('www 300 IN A 192.0.2.7\nmail 300 IN A 192.0.2.300\nblog 300 IN MX mail\n');
  await compare(page);
  const problems = page.getByRole('alert');
  await problems.getByText('2 problems').waitFor();
  await problems.getByText('mail 300 IN A 192.0.2.300').waitFor();
  await problems.getByRole('button', { name: 'Go to the line: Line 2' }).click();
  expect(await page.evaluate<string>('getSelection().toString()')).toBe('mail 300 IN A 192.0.2.300');
  await page.keyboard.type('mail 300 IN A 192.0.2.30');
  await problems.waitFor({ state: 'detached' });
  await area(page).fill((await area(page).inputValue()).replace('MX mail', 'MX 10 mail'));
  // The text stays when the page is left and comes back.
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('list', { name: 'History' }).waitFor();
  await page.goBack();
  await area(page).waitFor();
  // It also stays when the page is loaded again.
  await untilKept(page);
  await page.reload();
  await expect.poll(() => area(page).inputValue()).toContain('MX 10 mail');
  await compare(page);
  await page.getByRole('list', { name: 'State' }).getByText('192.0.2.30').waitFor();
  expect(await service.dns.look(`www.${domain}`, 'A')).toBe('NXDOMAIN');
  await page.getByLabel('Note for the history').fill('From the old provider');
  await page.getByRole('button', { name: 'Import 3 changes' }).click();
  await page.getByText('3 changes are applied.').waitFor();
  expect(await service.dns.look(`mail.${domain}`, 'A')).toEqual(['192.0.2.30']);
  expect(await service.dns.look(`old.${domain}`, 'A')).toEqual(['192.0.2.9']);
  await page.getByRole('link', { name: 'Go to the records' }).click();
  await page.getByRole('rowheader', { name: 'blog' }).waitFor();
  await page.getByRole('link', { name: 'History' }).click();
  await page.locator('q').getByText('From the old provider').waitFor();
});

test('replacing deletes what the file does not have, shows what is left out, and asks again if somebody was faster', async () => {
  const { page, domain } = await openRecords(here, [record('old', '192.0.2.9'), record('www', '192.0.2.7')]);
  await openImport(page);
  const content = 'www 3600 IN A 192.0.2.7\nnew 60 IN A 192.0.2.8\n@ 60 IN NS ns.other.example.\n';
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'my.zone', mimeType: 'text/plain', buffer: Buffer.from(content) });
  await expect.poll(() => area(page).inputValue()).toBe(content);
  await page.getByRole('radio', { name: /^Replace/ }).check();
  await compare(page);
  await page.getByText('1 record is left out').click();
  await page.getByText('ns.other.example').last().waitFor();
  const difference = page.getByRole('list', { name: 'State' });
  await difference.getByText('192.0.2.9').waitFor();
  await call(service, 'POST', `/v2/domains/${domain}/records`, record('late', '192.0.2.50'));
  await page.getByRole('button', { name: /^Import \d+ changes/ }).click();
  await page.getByText('The domain has just changed.').waitFor();
  await difference.getByText('192.0.2.50').waitFor();
  expect(await service.dns.look(`old.${domain}`, 'A')).toEqual(['192.0.2.9']);
  await page.getByRole('button', { name: /^Import \d+ changes/ }).click();
  await page.getByText(/changes are applied\./).waitFor();
  expect(await service.dns.look(`old.${domain}`, 'A')).toBe('NXDOMAIN');
  expect(await service.dns.look(`late.${domain}`, 'A')).toBe('NXDOMAIN');
  expect(await service.dns.look(`new.${domain}`, 'A')).toEqual(['192.0.2.8']);
});

test('a large file is dropped, shown by its name, and imported', async () => {
  const { page, domain } = await openRecords(here);
  await openImport(page);
  await page.evaluate(`
    const lines = Array.from({ length: 9_000 }, (_, index) => 'h' + index + ' 300 IN A 192.0.2.' + (index % 250));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([lines.join('\\n')], 'large.zone'));
    const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector('textarea').dispatchEvent(drop);
  `);
  await page.getByText('large.zone').waitFor();
  await compare(page);
  await page.getByRole('button', { name: 'Import 9,000 changes' }).click();
  await page.getByText('9,000 changes are applied.').waitFor();
  expect(await service.dns.look(`h8999.${domain}`, 'A')).toEqual(['192.0.2.249']);
});

test('the domain is saved as a zone file, which changes nothing when it is imported again', async () => {
  const { page } = await openRecords(here, [record('www', '192.0.2.7')]);
  await openImport(page);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save zone file' }).click();
  const path = await (await saved).path();
  await page.locator('input[type=file]').setInputFiles(path);
  await expect.poll(() => area(page).inputValue()).toContain('192.0.2.7');
  await compare(page);
  await page.getByText('Nothing: the domain has all of it.').waitFor();
});

test('a viewer can compare nothing, and learns why', async () => {
  const { page: owner, domain } = await openRecords(here);
  const page = await openViewer(here.open, owner);
  await page.goto(`/d/${domain}/import`);
  await page.getByText('You are a viewer. Ask an owner for edit rights.').waitFor();
  await area(page).fill('www 300 IN A 192.0.2.7');
  expect(await page.getByRole('button', { name: 'Compare' }).getAttribute('aria-disabled')).toBe('true');
});

test('a zone that another signer has signed is verified, served as it is, and changed by a newly signed file alone', async () => {
  const { page, domain } = await openRecords(here, [record('old', '192.0.2.9')]);
  const serial = (await service.dns.serial(domain)) + 10;
  const key = newSignerKey();
  const signed = (at: number): string => signFile(domain, fileText(at), { key });
  await openImport(page);
  await page.getByRole('radio', { name: /^Serve as it is signed/ }).check();
  const lines = signed(serial).split('\n');
  const broken = lines.filter((line) => !/^mail\S*\s.*RRSIG\s+A\s/.test(line));
  expect(broken).toHaveLength(lines.length - 1);
  await area(page).fill(broken.join('\n'));
  await compare(page);
  await page
    .getByRole('alert')
    .getByText(/^Line \d+/)
    .first()
    .waitFor();
  await area(page).fill(signed(serial));
  await compare(page);
  await page.getByText('Its records cannot be edited here.').waitFor();
  const serve = page.getByRole('button', { name: 'Serve this zone' });
  await page.locator('form', { has: serve }).getByText('Show request').click();
  await page.getByText(`zonewright zonefile import ${domain} ${domain}.zone --presigned`).waitFor();
  await serve.click();
  await page.getByText('The zone is served as it was signed.').waitFor();
  expect(await service.dns.serial(domain)).toBe(serial);
  expect(await service.dns.look(`old.${domain}`, 'A')).toBe('NXDOMAIN');

  // People learn that before they edit anything.
  await page.getByRole('link', { name: 'Go to the records' }).click();
  await page.getByText('Another signer has signed this zone.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: '+ Record' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Import zone file' }).click();
  await expect.poll(() => page.getByRole('radio', { name: /^Replace/ }).isDisabled()).toBe(true);
  await area(page).fill(signed(serial + 1));
  await compare(page);
  await page.getByText('No record that people edit is another one.').waitFor();
  await serve.click();
  await page.getByText('The zone is served as it was signed.').waitFor();
  expect(await service.dns.serial(domain)).toBe(serial + 1);
});
