import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Answerer } from '../../src/dns-client/nameserver.test-support.ts';
import {
  delegating,
  dsText,
  recordOf,
  startParent,
  withDs,
  withoutDs,
} from '../../src/dns-client/parent.test-support.ts';
import { formatServerAddress } from '../../src/dns-client/server-address.ts';
import { ownerToken } from '../harness/people.ts';
import {
  call,
  findViolations,
  joinAs,
  openConsole,
  originOf,
  sidewaysScroll,
  type Page,
} from './console-page.ts';

/* The delegation of a domain, as two servers of its parent zone have it on the loopback interface. */

const zone = 'registry.example';
const domain = `customer.${zone}`;
const inside = `ns.${domain}`;
/** The answers of the two servers; none: the domain is not delegated. */
const referrals: (object | undefined)[] = [];
let hasDsRecord = false;

const answerOf =
  (server: number): Answerer =>
  ({ questions }) => {
    const [{ name, type }] = questions;
    if (name !== domain) return withoutDs(zone);
    if (type === 'DS' && hasDsRecord) return withDs(name);
    return (type === 'NS' ? referrals[server] : undefined) ?? withoutDs(zone);
  };

const servers = { 'a.servers.net': answerOf(0), 'b.servers.net': answerOf(1) };
// Its answers end with the first test, so that there is only one.
test('the page compares the delegation with what it should be, and says what to tell the registrar', async () => {
  const parent = await startParent({ zone, servers });
  const { service, open } = await openConsole({
    ZONEWRIGHT_NAMESERVERS: 'ns1.dns.example,ns2.dns.example',
    ZONEWRIGHT_RESOLVERS: parent.resolvers.map(formatServerAddress).join(','),
    ZONEWRIGHT_PRIVATE_PARENTS: parent.privateServers.map(formatServerAddress).join(','),
  });
  await call(service, 'POST', '/v2/domains', { domain });
  const page = await open();
  await joinAs(page, `${originOf(service)}/invite#${await ownerToken(service)}`, 'parent@example.net');
  await page.goto(`/d/${domain}/nameservers`);
  await page.getByText('The domain is not delegated').waitFor();
  await page.getByRole('heading', { name: `The servers of ${zone}` }).waitFor();
  const rowOf = (server: string) =>
    page
      .getByRole('list', { name: `The servers of ${zone}` })
      .getByRole('listitem')
      .filter({ hasText: server });
  expect(await rowOf('a.servers.net').innerText()).toMatch(/ns1\.dns\.example\s+missing/);

  // A nameserver of its own, with an address that only one server has, and a DS record that nobody asked for.
  const { json } = await service.http.get(`/v2/domains/${domain}/records?type=NS`);
  await call(service, 'POST', `/v2/domains/${domain}/batch`, {
    delete: (json.records ?? []).map(({ id }) => id),
    create: [
      { type: 'NS', name: '', data: inside, ttl: 300 },
      { type: 'A', name: 'ns', data: '192.0.2.53', ttl: 300 },
    ],
  });
  const glue = recordOf(inside, '192.0.2.53');
  referrals.push({ ...delegating(domain, inside), additionals: [glue] }, delegating(domain, inside));
  hasDsRecord = true;
  const isSeen = async (): Promise<boolean> => {
    await page.getByRole('button', { name: 'Look again' }).click();
    return page.getByText('The domain is delegated here').isVisible();
  };
  await expect.poll(isSeen, { timeout: 20_000, interval: 1000 }).toBe(true);
  await page.getByText(`These nameservers are inside ${domain}.`).waitFor();
  await page.getByText('Seen at b.servers.net.').waitFor();
  expect(await rowOf('a.servers.net').innerText()).toMatch(/ns\.customer\S+ 192\.0\.2\.53\s+there/);
  expect(await rowOf('a.servers.net').innerText()).toMatch(new RegExp(`${dsText}\\s+not expected`));
  await page.getByText(/^Looked .* ago|^Looked now/).waitFor();

  await look(page, 'delegation');

  // A DS record that names none of its keys: each server is compared with the one that is wanted.
  await call(service, 'PATCH', `/v2/domains/${domain}`, { dns_sec: 'enabled' });
  await page.getByRole('link', { name: 'DNSSEC' }).click();
  await page.getByText('Resolvers reject the answers of this domain').waitFor();
  const seen = page
    .getByRole('list', { name: 'What the parent zone has' })
    .getByRole('listitem')
    .filter({ hasText: 'a.servers.net' });
  expect(await seen.innerText()).toMatch(/ 13 2 [0-9A-F]{64}\s+missing/);
  expect(await seen.innerText()).toMatch(new RegExp(`${dsText}\\s+not expected`));
  await page.getByText(/^Looked .* ago|^Looked now/).waitFor();
  await look(page, 'dnssec-parent');
});

async function look(page: Page, name: string): Promise<void> {
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      expect.soft(await findViolations(page, 'all')).toEqual([]);
      expect.soft(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
      const folder = process.env['SCREENSHOTS'];
      if (folder === undefined) continue;
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${name}-${size.width}-${theme}.png`), fullPage: true });
    }
  }
}
