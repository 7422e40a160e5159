import { expect, test } from 'vitest';
import { createDomain, createRecord, freshDomainName, listRecords } from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http, dns } = service;
/** Concurrent lanes and rounds in each: 2,000 rounds in total, with four writes and eight queries each. */
const LANES = 16;
const ROUNDS_PER_LANE = 125;

test('rule 35: 2,000 rounds of creating, updating and deleting records give no stale answer', async () => {
  const domains = [await createDomain(service), await createDomain(service), await createDomain(service)];
  const stale: string[] = [];
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const domain = domains[lane % domains.length];
    for (let round = 0; round < ROUNDS_PER_LANE; round++) {
      const name = round % 3 === 0 ? `lane${lane}` : `r${round}.lane${lane}`;
      await playRound(domain, name, round, stale);
    }
  });
  await Promise.all(lanes);
  expect(stale).toEqual([]);
});

/** Creates, updates and deletes one name, and queries DNS right after the answer to each write. */
async function playRound(domain: string, name: string, round: number, stale: string[]): Promise<void> {
  const owner = `${name}.${domain}`;
  const path = `/v2/domains/${domain}/records`;
  const options = { tcp: round % 10 === 0 };
  const expectSeen = async (when: string, type: string, expected: unknown): Promise<void> => {
    const seen = await dns.look(owner, type, options);
    if (JSON.stringify(seen) !== JSON.stringify(expected))
      stale.push(`${owner} ${type} ${when}: ${JSON.stringify(seen)}`);
  };
  await expectSeen('before', 'A', 'NXDOMAIN');
  const first = await http.post(path, { type: 'A', name, data: '192.0.2.1', ttl: 60 });
  await expectSeen('created', 'A', ['192.0.2.1']);
  await expectSeen('created', 'TXT', 'NODATA');
  await http.patch(`${path}/${first.json.record!.id}`, { data: '192.0.2.2' });
  await expectSeen('changed', 'A', ['192.0.2.2']);
  const second = await http.post(path, { type: 'TXT', name, data: `round ${round}`, ttl: 60 });
  await expectSeen('second type', 'TXT', [`round ${round}`]);
  await http.delete(`${path}/${first.json.record!.id}`);
  await expectSeen('first deleted', 'A', 'NODATA');
  await http.delete(`${path}/${second.json.record!.id}`);
  await expectSeen('deleted', 'TXT', 'NXDOMAIN');
  await expectSeen('deleted', 'A', 'NXDOMAIN');
}

test('rule 35: a domain is served once its creation is answered, and refused once its deletion is', async () => {
  const lanes = Array.from({ length: 8 }, async () => {
    for (let round = 0; round < 15; round++) {
      const domain = freshDomainName();
      expect(await dns.look(domain, 'A')).toBe('REFUSED');
      await createDomain(service, domain, '192.0.2.1');
      expect(await dns.look(domain, 'A')).toEqual(['192.0.2.1']);
      expect(await dns.look(`www.${domain}`, 'A')).toBe('NXDOMAIN');
      expect((await http.delete(`/v2/domains/${domain}`)).status).toBe(204);
      expect(await dns.look(domain, 'A')).toBe('REFUSED');
      await createDomain(service, domain);
      expect(await dns.look(domain, 'A')).toBe('NODATA');
    }
  });
  await Promise.all(lanes);
});

test('rule 35: a subdomain that becomes a domain is served from that domain immediately, and back', async () => {
  const parent = await createDomain(service);
  const child = `child.${parent}`;
  await createRecord(service, parent, { name: 'www.child', data: '192.0.2.1' });
  for (let round = 0; round < 5; round++) {
    expect(await dns.look(`www.${child}`, 'A')).toEqual(['192.0.2.1']);
    await createDomain(service, child);
    expect(await dns.look(`www.${child}`, 'A')).toBe('NXDOMAIN');
    await createRecord(service, child, { name: 'www', data: '192.0.2.2' });
    expect(await dns.look(`www.${child}`, 'A')).toEqual(['192.0.2.2']);
    expect((await http.delete(`/v2/domains/${child}`)).status).toBe(204);
  }
});

test('rule 35: wildcards, empty non-terminals and delegations appear and disappear with the write', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/records`;
  for (let round = 0; round < 20; round++) {
    const name = `any${round}.${domain}`;
    expect(await dns.look(name, 'A')).toBe('NXDOMAIN');
    const wildcard = await createRecord(service, domain, { name: '*' });
    expect(await dns.look(name, 'A')).toEqual(['192.0.2.1']);
    const deep = await createRecord(service, domain, { name: `deep.any${round}`, data: '192.0.2.2' });
    expect(await dns.look(name, 'A')).toBe('NODATA');
    await http.delete(`${path}/${deep.id}`);
    expect(await dns.look(name, 'A')).toEqual(['192.0.2.1']);
    const cut = await createRecord(service, domain, {
      type: 'NS',
      name: `any${round}`,
      data: 'ns.elsewhere.example',
    });
    const referral = (await dns.ask(`www.${name}`, 'A')).packet;
    expect([referral.flag_aa, referral.authorities.map(({ data }) => data)]).toEqual([
      false,
      ['ns.elsewhere.example'],
    ]);
    await http.delete(`${path}/${cut.id}`);
    expect(await dns.look(`www.${name}`, 'A')).toEqual(['192.0.2.1']);
    await http.delete(`${path}/${wildcard.id}`);
    expect(await dns.look(name, 'A')).toBe('NXDOMAIN');
  }
});

test('rule 35: the serial increases with every write except writes that change nothing', async () => {
  const domain = await createDomain(service);
  let serial = await dns.serial(domain);
  for (let round = 0; round < 30; round++) {
    const record = { type: 'A', name: `n${round}`, data: '192.0.2.1', ttl: 60 };
    expect((await http.post(`/v2/domains/${domain}/records`, record)).status).toBe(201);
    expect(await dns.serial(domain)).toBe(serial + 1);
    serial += 1;
    expect((await http.post(`/v2/domains/${domain}/records`, record)).status).toBe(200);
    expect(await dns.serial(domain, { tcp: true })).toBe(serial);
  }
});

test('rule 35: a list read after the write shows it', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/records`;
  for (let round = 0; round < 50; round++) {
    const { id } = await createRecord(service, domain, { name: `n${round}` });
    expect((await listRecords(service, domain)).map((record) => record.id)).toContain(id);
    await http.delete(`${path}/${id}`);
    expect((await listRecords(service, domain)).map((record) => record.id)).not.toContain(id);
  }
});
