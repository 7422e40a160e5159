import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/store/sqlite/sqlite-driver.ts';
import { createDomain, createRecord } from '../harness/fixtures.ts';
import { findValue, readExposition } from '../harness/exposition.ts';
import { findChild } from '../harness/process-family.ts';
import { startService, type Service } from '../harness/service.ts';

/*
 * Rows of the embedded store are damaged. There is no second copy: the zone is not answered, the service says so, and a
 * write that replaces the zone heals it.
 */

const records = [{ type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 }];

function damage(service: Service): void {
  const database = openDatabase(join(service.data, 'zonewright.db'));
  database.exec("UPDATE records SET rdata = X'7f000001' WHERE owner = 'www'");
  database.close();
}

async function readState(service: Service, domain: string) {
  const { text } = await service.http.get(`/v2/domains/${domain}/propagation`);
  const { propagation } = JSON.parse(text) as {
    propagation: { current: boolean; nameservers: { serial: number | null }[] };
  };
  const ready = await service.http.get('/readyz', { key: null });
  const metrics = readExposition((await service.http.get('/metrics')).text);
  return {
    isCurrent: propagation.current,
    isKnown: propagation.nameservers.every(({ serial }) => serial !== null),
    readiness: ready.status,
    damaged: findValue(metrics, 'zonewright_copy_damaged_zones'),
  };
}

test('a damaged zone of the store is not answered and not current, until its records are replaced', async () => {
  const service = await startService();
  onTestFinished(async () => {
    await service.stop();
  });
  const [domain, other] = [await createDomain(service), await createDomain(service)];
  await service.http.put(`/v2/domains/${domain}/zonefile`, { records });
  await createRecord(service, other, { name: 'mail' });
  const right = { isCurrent: true, isKnown: true, readiness: 200, damaged: 0 };
  await expect.poll(() => readState(service, domain)).toEqual(right);

  damage(service);
  // In memory it would be served on.
  const killed = findChild(service.pid, 'nameserver');
  if (killed !== undefined) process.kill(killed, 'SIGKILL');
  await expect.poll(() => service.dns.look(`www.${domain}`, 'A')).toBe('SERVFAIL');
  const wrong = { isCurrent: false, isKnown: false, readiness: 503, damaged: 1 };
  await expect.poll(() => readState(service, domain)).toEqual(wrong);
  expect(await readState(service, other)).toMatchObject({ isCurrent: true, isKnown: true });
  expect(await service.dns.look(`mail.${other}`, 'A')).toEqual(['192.0.2.1']);

  const replaced = await service.http.put(`/v2/domains/${domain}/zonefile`, { records });
  expect(replaced.status, replaced.text).toBe(200);
  await expect.poll(() => service.dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.1']);
  await expect.poll(() => readState(service, domain)).toEqual(right);
});
