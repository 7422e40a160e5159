// The life cycle of a domain and its records through one client library. Every write is checked at once with a DNS
// query.

import { listKeys } from './api.ts';
import { classicRecords, type ClassicRecord } from './classic-records.ts';
import { expectValidated } from './delv.ts';
import { expectAnswers, expectStatus, rdataOf } from './dig.ts';
import type { ClientRecord, DnsClient, OpenClient } from './dns-client.ts';
import { expectEqual, expectFailure } from './expect.ts';
import { BULK_DOMAIN, bulkNames, FILLER_DOMAINS } from './fixtures.ts';
import { serviceNameservers } from './service.ts';
import type { Bench, RunCase, Suite } from './suite.ts';

/** A well-formed key that belongs to nobody. */
const FOREIGN_KEY = 'zw_00000000000000000000000000000000000000';

interface Life {
  readonly bench: Bench;
  readonly client: DnsClient;
  readonly domain: string;
  readonly runCase: RunCase;
  /** The created records, in order. */
  readonly created: { readonly wanted: ClassicRecord; readonly record: ClientRecord }[];
}

/** A suite that runs the life cycle in `<name>.example`. */
export function lifeCycleSuite(name: string, openClient: OpenClient): Suite {
  return {
    name,
    run: async (runCase, bench) => {
      const client = await openClient(bench, bench.service.key);
      const life: Life = { bench, client, domain: `${name}.example`, runCase, created: [] };
      try {
        await createDomain(life);
        await createSigned(life);
        await createRecords(life);
        await delegate(life);
        await readBack(life);
        await readLongLists(life);
        await changeRecords(life);
        await changeSoa(life);
        await signDomain(life);
        await deleteAll(life);
      } finally {
        await client.close();
      }
      await useForeignKey(runCase, () => openClient(bench, FOREIGN_KEY));
    },
  };
}

async function createDomain({ bench: { dig }, client, domain, runCase }: Life): Promise<void> {
  await runCase('create a domain with an address', async () => {
    await expectStatus(dig, domain, 'A', 'REFUSED');
    const created = await client.createDomain(domain, '192.0.2.1');
    expectEqual(created.domain, domain, 'the created domain');
    await expectAnswers(dig, domain, 'A', ['192.0.2.1']);
    await expectAnswers(
      dig,
      domain,
      'NS',
      serviceNameservers.map((host) => `${host}.`),
    );
    return 'REFUSED before; A, NS answered at once';
  });
  await runCase('create the same domain again', async () => {
    const before = await client.listRecords(domain);
    const [first, again] = [await client.getDomain(domain), await client.createDomain(domain)];
    expectEqual(again.date_created, first.date_created, 'the creation date stays');
    expectEqual(await client.listRecords(domain), before, 'the records stay');
    return `same domain, created ${again.date_created}`;
  });
  await runCase('refuse a malformed domain name', async () => {
    const message = await expectFailure(client.createDomain('no..dots.example'), /\S/, 'creation');
    expectEqual((await client.listDomains()).includes('no..dots.example'), false, 'it is listed');
    return message.split('\n')[0] ?? '';
  });
}

async function createSigned({ bench, client, domain, runCase }: Life): Promise<void> {
  await runCase('create a signed domain, and delete it', async () => {
    const signed = `signed-${domain}`;
    await client.createDomain(signed, '192.0.2.1', true);
    const { api, dig, folder } = bench;
    const keys = await listKeys(api, signed);
    const about = { domain: signed, keys, dnsPort: dig.port, folder };
    const seen = await expectValidated(about, [signed, 'A'], [signed, 'NS'], [`no.${signed}`, 'A']);
    await client.deleteDomain(signed);
    await expectStatus(dig, signed, 'SOA', 'REFUSED');
    return seen;
  });
}

async function createRecords({ bench: { dig }, client, domain, runCase, created }: Life): Promise<void> {
  for (const wanted of classicRecords(domain)) {
    await runCase(`create ${wanted.type} at ${wanted.name || 'the apex'}, twice`, async () => {
      const owner = fullName(wanted.name, domain);
      expectEqual((await dig(owner, wanted.type)).answer, [], `${owner} ${wanted.type} before it is created`);
      const record = await client.createRecord(domain, asSent(wanted));
      await expectAnswers(dig, owner, wanted.type, [wanted.answer]);
      const { type, name, readBack: data, ttl } = wanted;
      expectEqual(pick(record), { id: record.id, type, name, data, ttl }, 'the created record');
      const again = await client.createRecord(domain, asSent(wanted));
      expectEqual(again.id, record.id, 'the id of the repeated creation');
      created.push({ wanted, record });
      return `dig ${wanted.answer.slice(0, 60)}`;
    });
  }
}

async function delegate({ bench: { dig }, client, domain, runCase }: Life): Promise<void> {
  await runCase('delegate a subdomain with NS and glue', async () => {
    const records = [
      { type: 'NS', name: 'sub', data: `ns1.sub.${domain}`, ttl: 300 },
      { type: 'A', name: 'ns1.sub', data: '192.0.2.53', ttl: 300 },
    ];
    for (const record of records) await client.createRecord(domain, record);
    const found = await dig(`deep.sub.${domain}`, 'A');
    expectEqual(rdataOf(found.authority, 'NS'), [`ns1.sub.${domain}.`], `referral\n${found.text}`);
    expectEqual(rdataOf(found.additional, 'A'), ['192.0.2.53'], `glue\n${found.text}`);
    expectEqual(found.flags.includes('aa'), false, 'a referral is not authoritative');
    return 'referral with glue';
  });
}

async function readBack({ client, domain, runCase, created }: Life): Promise<void> {
  await runCase('read every record back, one by one and listed', async () => {
    const listed = await client.listRecords(domain);
    for (const { record } of created) {
      expectEqual(pick(await client.getRecord(domain, record.id)), pick(record), 'the record by its id');
      expectEqual(
        listed.filter(({ id }) => id === record.id).map(pick),
        [pick(record)],
        'the record in the list, once',
      );
    }
    const ours = new Set(created.map(({ record }) => record.id));
    expectEqual(
      listed.map(({ id }) => id).filter((id) => ours.has(id)),
      created.map(({ record }) => record.id),
      'the order of creation',
    );
    return `${listed.length} records`;
  });
}

async function readLongLists({ client, domain, runCase }: Life): Promise<void> {
  await runCase('list a domain of many pages', async () => {
    const names = (await client.listRecords(BULK_DOMAIN))
      .map(({ name }) => name)
      .filter((name) => name !== '');
    expectEqual(names.sort(), bulkNames(), 'all names, each once');
    return `${names.length} records`;
  });
  await runCase('list more domains than a page holds', async () => {
    const domains = await client.listDomains();
    expectEqual(new Set(domains).size, domains.length, 'each domain is listed once');
    expectEqual(domains.includes(domain), true, `${domain} is listed`);
    const fillers = domains.filter((name) => name.startsWith('filler-')).length;
    expectEqual(fillers, FILLER_DOMAINS, 'filler domains');
    return `${domains.length} domains`;
  });
}

async function changeRecords({ bench: { dig }, client, domain, runCase, created }: Life): Promise<void> {
  const www = created.find(({ wanted }) => wanted.type === 'A' && wanted.name === 'www')?.record.id ?? '';
  const mx = created.find(({ wanted }) => wanted.type === 'MX')?.record.id ?? '';
  await runCase('change data and TTL of a record', async () => {
    await client.updateRecord(domain, www, { name: 'www', data: '192.0.2.99', ttl: 600 });
    const { answer } = await dig(`www.${domain}`, 'A');
    expectEqual(answer, [`www.${domain}. 600 IN A 192.0.2.99`], 'the answer after the change');
    return answer.join();
  });
  await runCase('change the preference of an MX', async () => {
    await client.updateRecord(domain, mx, { name: '', data: `mail2.${domain}`, ttl: 300, priority: 30 });
    await expectAnswers(dig, domain, 'MX', [`30 mail2.${domain}.`]);
    return `30 mail2.${domain}.`;
  });
  await runCase('move a record to another name', async () => {
    await client.updateRecord(domain, www, { name: 'moved', data: '192.0.2.99', ttl: 600 });
    await expectAnswers(dig, `moved.${domain}`, 'A', ['192.0.2.99']);
    await expectStatus(dig, `www.${domain}`, 'A', 'NOERROR');
    return 'the new name answers, the old one no longer';
  });
  await runCase('delete a record, twice', async () => {
    await client.deleteRecord(domain, www);
    await expectStatus(dig, `moved.${domain}`, 'A', 'NXDOMAIN');
    return expectFailure(client.deleteRecord(domain, www), /Invalid record/, 'the second deletion');
  });
}

async function changeSoa({ bench: { dig }, client: { soa }, domain, runCase }: Life): Promise<void> {
  if (!soa) return;
  await runCase('read and change the SOA', async () => {
    expectEqual((await soa.read(domain)).nsprimary, serviceNameservers[0], 'the primary nameserver at first');
    await soa.update(domain, { nsprimary: 'ns9.interop.example', email: `dns.admin@${domain}` });
    expectEqual(
      await soa.read(domain),
      { nsprimary: 'ns9.interop.example', email: `dns.admin@${domain}` },
      'SOA',
    );
    const [rdata = ''] = rdataOf((await dig(domain, 'SOA')).answer, 'SOA');
    expectEqual(rdata.split(' ').slice(0, 2), ['ns9.interop.example.', `dns\\.admin.${domain}.`], 'dig SOA');
    return rdata;
  });
}

async function signDomain({ bench, client, domain, runCase }: Life): Promise<void> {
  const { api, dig, folder } = bench;
  const { soa } = client;
  if (!soa) return;
  const path = `/v2/domains/${domain}`;
  await runCase('sign the domain, twice', async () => {
    expectEqual(await soa.listDnssec(domain), [], 'keys before');
    await soa.setDnssec(domain, 'enabled');
    const keys = await soa.listDnssec(domain);
    await soa.setDnssec(domain, 'enabled');
    expectEqual(await soa.listDnssec(domain), keys, 'keys after the second time');
    const signed = { domain, keys, dnsPort: dig.port, folder };
    return expectValidated(signed, [domain, 'SOA'], [domain, 'MX'], [`no.${domain}`, 'A'], [domain, 'LOC']);
  });
  await runCase('change the signed domain', async () => {
    const keys = await soa.listDnssec(domain);
    const record = await client.createRecord(domain, { type: 'A', name: 'new', data: '192.0.2.7', ttl: 300 });
    const signed = { domain, keys, dnsPort: dig.port, folder };
    await expectValidated(signed, [`new.${domain}`, 'A'], [`new.${domain}`, 'AAAA']);
    await client.deleteRecord(domain, record.id);
    return expectValidated(signed, [`new.${domain}`, 'A']);
  });
  await runCase('withdraw signing, after which the domain is signed as before', async () => {
    const keys = await soa.listDnssec(domain);
    await soa.setDnssec(domain, 'disabled');
    const published = keys.filter((line) => line.includes(' DNSKEY '));
    expectEqual(await soa.listDnssec(domain), published, 'lines while signing is withdrawn');
    await soa.setDnssec(domain, 'disabled');
    await expectValidated(
      { domain, keys, dnsPort: dig.port, folder },
      [domain, 'SOA'],
      [`no.${domain}`, 'A'],
    );
    await soa.setDnssec(domain, 'enabled');
    expectEqual(await soa.listDnssec(domain), keys, 'lines after the withdrawal is taken back');
    return `${published.length} DNSKEY, no DS`;
  });
  await runCase('end signing at once with force', async () => {
    await api.mustSend('PUT', `${path}?force=true`, { dns_sec: 'disabled' });
    expectEqual(await soa.listDnssec(domain), [], 'keys afterwards');
    await soa.setDnssec(domain, 'disabled');
    return 'no keys';
  });
}

async function deleteAll({ bench: { dig }, client, domain, runCase }: Life): Promise<void> {
  await runCase('delete the domain, twice', async () => {
    await client.deleteDomain(domain);
    await expectStatus(dig, domain, 'SOA', 'REFUSED');
    await expectStatus(dig, `quoted.${domain}`, 'TXT', 'REFUSED');
    expectEqual((await client.listDomains()).includes(domain), false, 'it is still listed');
    await expectFailure(client.getDomain(domain), /Invalid domain/, 'reading it');
    return expectFailure(client.deleteDomain(domain), /Invalid domain/, 'the second deletion');
  });
}

async function useForeignKey(runCase: RunCase, open: () => Promise<DnsClient>): Promise<void> {
  await runCase('refuse a key that is not known', async () => {
    const client = await open();
    try {
      return await expectFailure(client.listDomains(), /403|Forbidden/, 'listing with an unknown key');
    } finally {
      await client.close();
    }
  });
}

function fullName(name: string, domain: string): string {
  return name === '' ? domain : `${name}.${domain}`;
}

function asSent({ type, name, data, ttl, priority }: ClassicRecord) {
  return { type, name, data, ttl, ...(priority === undefined ? {} : { priority }) };
}

function pick({ id, type, name, data, ttl }: ClientRecord): ClientRecord {
  return { id, type, name, data, ttl };
}
