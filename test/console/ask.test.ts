import { expect, test } from 'vitest';
import { startNameserver } from '../../src/dns-client/nameserver.test-support.ts';
import { recordOf } from '../../src/dns-client/parent.test-support.ts';
import { formatServerAddress } from '../../src/dns-client/server-address.ts';
import { openConsole } from './console-page.ts';
import { openRecords, record } from './record-pages.ts';

// The resolver ends with the test that starts it, so that there is only one.
test('a question is answered, explained, and asked of a resolver, and stands in the address', async () => {
  const resolver = await startNameserver(({ questions }) => ({
    flags: 0x0080,
    answers: [recordOf(questions[0].name, '192.0.2.77')],
  }));
  const here = await openConsole({ ZONEWRIGHT_ASKED_RESOLVERS: formatServerAddress(resolver) });
  const { page, domain } = await openRecords(here, [
    record('*', '192.0.2.7'),
    record('blog', 'elsewhere.example.net', 'CNAME'),
  ]);
  await page.getByRole('link', { name: 'Ask' }).click();
  await page.getByText('Ask for any name and type.').waitFor();
  await page.getByLabel('Name').fill('nothing-here');
  await page.getByLabel('Name').press('Enter');
  const answer = page.getByRole('region', { name: 'Answer' });
  await answer.getByText(`nothing-here.${domain}. 3600 IN A 192.0.2.7`).waitFor();
  await page.getByText(`*.${domain}`).first().waitFor();
  await page.waitForURL(/name=nothing-here&type=A/);

  // The record behind a reason.
  await page.getByRole('link', { name: `Go to records: *.${domain}` }).click();
  await page.getByRole('rowheader', { name: '*' }).waitFor();
  await page.goBack();
  await answer.getByText('192.0.2.7').waitFor();

  await page.getByLabel('Ask a resolver as well').fill('127.0.0.1');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByRole('heading', { name: 'What 127.0.0.1 says' }).waitFor();
  await page.getByText(`nothing-here.${domain}. 60 IN A 192.0.2.77`).waitFor();
  await page.getByText('It says something else than the nameserver here.').waitFor();

  await page.getByLabel('Ask a resolver as well').fill('192.0.2.53');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').innerText()).toMatch(/Request \S+/);

  await page.getByLabel('Ask a resolver as well').fill('');
  await page.getByLabel('Name').fill('blog');
  await page.getByLabel('Type').fill('txt');
  await page.getByRole('button', { name: 'Ask' }).click();
  await answer.getByText(`blog.${domain}. 3600 IN CNAME elsewhere.example.net.`).waitFor();
  await page.getByText('Show request').click();
  await page.getByText(`zonewright explain ${domain} blog TXT`).waitFor();
  await page.getByLabel('Name').fill('a..b');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('The service cannot accept that').waitFor();
});
