import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownerToken } from '../harness/people.ts';
import { findChild } from '../harness/process-family.ts';
import { findViolations, joinAs, openConsole, openOwnAccount, originOf } from './console-page.ts';

const { service, open } = await openConsole();

test('an operator sees that the service works, and what to do while its nameserver does not answer', async () => {
  const page = await open();
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, 'health@example.net');
  await page.getByRole('button', { name: 'Go to your domains' }).click();
  await page.getByRole('link', { name: 'Health' }).click();
  await page.getByText('The service is ready', { exact: true }).waitFor();
  await page.getByText('None is known.').waitFor();
  await page.getByText(/^(\d+) of \1 answer$/).waitFor();
  await page.getByText('Show request').click();
  await page.getByText(`curl ${originOf(service)}/readyz`).waitFor();

  const nameserver = findChild(service.pid, 'nameserver') ?? 0;
  expect(nameserver).toBeGreaterThan(0);
  process.kill(nameserver, 'SIGSTOP');
  try {
    await page.getByText('The service is not ready').waitFor();
    const problem = page
      .getByRole('list', { name: 'Problems' })
      .getByRole('listitem')
      .filter({ hasText: 'The nameserver does not answer' });
    await problem.getByText('It is started again by itself if it has ended.').waitFor();
    expect(await findViolations(page, 'all')).toEqual([]);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: join(folder, 'health-problem.png') });
  } finally {
    process.kill(nameserver, 'SIGCONT');
  }
  await page.getByText('The service is ready', { exact: true }).waitFor();
  await page.getByText('None is known.').waitFor();
});

test('an operator sees the host names of the service, and how far each nameserver is', async () => {
  const page = await open();
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, 'servers@example.net');
  await page.goto('/domains');
  await page.getByRole('navigation').getByRole('link', { name: 'Nameservers' }).click();
  await page.getByText('ns1.zonewright.example').waitFor();
  const process = page.getByRole('list', { name: 'Nameserver processes' }).getByRole('listitem');
  await process.getByText('has all changes').waitFor();
  await page.getByText('Show request').click();
  await page.getByText('zonewright domain nameservers list').waitFor();
});

test('others find no way to the health of the service, and learn why', async () => {
  const page = await open();
  await openOwnAccount(service, page, 'Plain Ltd', 'dns@plain.example');
  await page.goto('/operator/health');
  await page.getByText('Operators of the service see its health.').waitFor();
  await page.goto('/operator/nameservers');
  await page.getByText('Operators of the service see its nameservers.').waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Health' }).count()).toBe(0);
  await expect.poll(() => page.getByText('The service is ready').count()).toBe(0);
});
