import { expect, test } from 'vitest';
import { linkToken } from '../harness/people.ts';
import { joinAs, openConsole, originOf, PASSWORD } from './console-page.ts';

const { service, open } = await openConsole();

test('from an invitation to a served record, which is then changed, searched and undone', async () => {
  const page = await open();
  await joinAs(page, `${originOf(service)}/invite#${await linkToken(service)}`, 'anna@example.net');
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
  await editor.getByRole('button', { name: 'Stage' }).click();
  await page.getByText('1 change staged. Nothing is live yet.').waitFor();
  expect((await service.dns.ask('www.example.com', 'A')).answers).toEqual([]);
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByLabel('Note for the history').fill('First record');
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('1 change is applied.').waitFor();
  expect(JSON.stringify((await service.dns.ask('www.example.com', 'A')).answers)).toContain('192.0.2.7');
  await page.getByText(/^Live on 1 of 1 nameservers/).waitFor();

  await page.getByRole('button', { name: 'Undo this change' }).click();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('1 change is applied.').waitFor();
  expect((await service.dns.ask('www.example.com', 'A')).answers).toEqual([]);
  expect(PASSWORD).toBeTruthy();
});
