import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ownerToken } from '../harness/people.ts';
import { joinAs, openConsole, originOf } from './console-page.ts';

/** Debian's dig, where it is installed; the client of the other tests where it is not. */
const hasDig = spawnSync('dig', ['-v']).status === 0;

function dig(address: string, name: string): string {
  const [host = '', port = ''] = address.split(':');
  return execFileSync('dig', [`@${host}`, '-p', port, name, 'A', '+short'], { encoding: 'utf8' }).trim();
}

const { service, open } = await openConsole();

test('from an invitation to a served record, which is then changed, searched and undone', async () => {
  const page = await open();
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, 'anna@example.net');
  await page.getByRole('button', { name: 'Go to your domains' }).click();

  // A domain.
  await page.getByRole('button', { name: 'Add domain' }).first().click();
  await page.getByLabel('Domain name').fill('Example.com');
  await page.getByText('example.com can be added.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
  await page.getByRole('grid', { name: 'Records of example.com' }).waitFor();

  // A record.
  await page.getByRole('button', { name: '+ Record' }).click();
  const editor = page.getByRole('dialog', { name: 'New record' });
  await editor.getByLabel('Name', { exact: true }).fill('www.example.com');
  await editor.getByText('example.com was already there. Using www.').waitFor();
  await editor.getByLabel('Address').fill('192.0.2.7');
  await editor.getByRole('button', { name: 'Stage', exact: true }).click();
  await page.getByText('1 change staged. Nothing is live yet.').waitFor();
  expect(await service.dns.look('www.example.com', 'A')).toBe('NXDOMAIN');
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByLabel('Note for the history').fill('First record');
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('1 change is applied.').waitFor();
  expect(await service.dns.look('www.example.com', 'A')).toEqual(['192.0.2.7']);
  if (hasDig) expect(dig(service.dnsAddress, 'www.example.com')).toBe('192.0.2.7');
  await page.getByText(/^Live on 1 of 1 nameservers/).waitFor();

  await page.getByRole('button', { name: 'Undo this change' }).click();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('1 change is applied.').waitFor();
  expect(await service.dns.look('www.example.com', 'A')).toBe('NXDOMAIN');
});

/** Compressed, for scripts, styles and the page, until records are shown. */
const MAX_LOADED_BYTES = 200_000;

test('the first load of records has less than 200 KB, compressed', async () => {
  const page = await open();
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (!request.url().includes('/v2/'))
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, 'size@example.net');
  await page.goto('/d/example.com/records');
  await page.getByRole('grid').waitFor();
  const loaded = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(loaded).toBeGreaterThan(100_000);
  expect(loaded).toBeLessThan(MAX_LOADED_BYTES);
});
