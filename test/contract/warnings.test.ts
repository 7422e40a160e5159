import { expect, test } from 'vitest';
import { parseWarningsHeader } from '../../src/contract/warnings-header.ts';
import { createDomain, createRecord } from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http } = service;

interface Reply {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

function warned({ headers }: Reply): string[] {
  const { warnings } = parseWarningsHeader(String(headers['zone-warnings'] ?? ''));
  return warnings.map(({ severity, code, name }) => `${severity} ${code} ${name}`);
}

test('rule 52: the creation of a record always says what the record shows by itself', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/records`;
  const mail = { type: 'MX', name: '', data: '10 mail', ttl: 300 };
  const created = await http.post(path, mail);
  expect([created.status, warned(created)]).toEqual([201, ['warning target_without_domain ']]);
  const again = await http.post(path, mail);
  expect([again.status, warned(again)]).toEqual([200, ['warning target_without_domain ']]);
  const about = parseWarningsHeader(String(again.headers['zone-warnings'])).warnings[0].record;
  expect(about).toBe(created.json.record!.id);
  const refused = await http.post(path, { ...mail, ttl: 60 });
  expect([refused.status, warned(refused)]).toEqual([409, []]);
});

test('rule 52: the creation of a record says what a check would say about it, if asked', async () => {
  const domain = await createDomain(service);
  const mail = { type: 'MX', name: '', data: '10 mail', ttl: 300 };
  const path = `/v2/domains/${domain}/records`;
  const alias = { type: 'CNAME', name: 'alias', data: `missing.${domain}.`, ttl: 300 };
  const silent = await http.post(path, alias);
  expect([silent.status, warned(silent)]).toEqual([201, []]);
  expect(warned(await http.post(`${path}?warnings=true`, alias))).toEqual(['warning target_missing alias']);
  expect((await http.post(path, mail)).status).toBe(201);
  const again = await http.post(`${path}?warnings=true`, mail);
  expect(again.status).toBe(200);
  expect(warned(again)).toEqual(['warning target_without_domain ']);
  const usual = await http.post(`${path}?warnings=true`, {
    type: 'A',
    name: 'www',
    data: '192.0.2.1',
    ttl: 300,
  });
  expect(usual.status).toBe(201);
  expect(usual.headers['zone-warnings']).toBeUndefined();
  expect((await http.post(`${path}?warnings=yes`, mail)).status).toBe(400);
});

test('rule 52: an NS record that hides others, and a deleted target, are reported', async () => {
  const domain = await createDomain(service);
  await createRecord(service, domain, { name: 'www.sub', type: 'A', data: '192.0.2.1' });
  const ns = { type: 'NS', name: 'sub', data: 'ns.example.net.', ttl: 300 };
  const hiding = await http.post(`/v2/domains/${domain}/records?warnings=true`, ns);
  expect(warned(hiding)).toEqual(['warning hidden_below_delegation www.sub', 'notice nameserver_single sub']);
  const target = await createRecord(service, domain, { name: 'host', type: 'A', data: '192.0.2.1' });
  await createRecord(service, domain, { name: 'alias', type: 'CNAME', data: `host.${domain}.` });
  const batch = { delete: [target.id] };
  const reply = await http.post(`/v2/domains/${domain}/batch?warnings=true`, batch);
  expect(warned(reply)).toEqual(['warning target_missing alias']);
});

test('rule 52: a domain of more than 5,000 records is not read, so only what the new record shows is reported', async () => {
  const domain = await createDomain(service);
  const hosts = Array.from({ length: 5001 }, (_, at) => `h${at} 300 A 192.0.2.1\n`);
  expect((await http.put(`/v2/domains/${domain}/zonefile`, hosts.join(''))).status).toBe(200);
  const create = async (target: string) => {
    const mail = { type: 'MX', name: 'm', data: `10 ${target}`, ttl: 300 };
    return warned(await http.post(`/v2/domains/${domain}/records?warnings=true`, mail));
  };
  expect(await create('mail')).toEqual(['warning target_without_domain m']);
  expect(await create(`missing.${domain}`)).toEqual([]);
});

async function checked(domain: string): Promise<string[]> {
  const { status, text } = await http.get(`/v2/domains/${domain}/check`);
  expect(status).toBe(200);
  const { warnings } = JSON.parse(text) as {
    warnings: { code: string; name: string; type: string | null }[];
  };
  return warnings.map(({ code, name, type }) => `${code} ${name} ${type}`);
}

test('rule 52: a domain that hides names of the domain above it is reported on both sides', async () => {
  const above = await createDomain(service);
  await createRecord(service, above, { name: 'sub', type: 'A', data: '192.0.2.1' });
  await createRecord(service, above, { name: 'www.sub', type: 'A', data: '192.0.2.1' });
  await createRecord(service, above, { name: 'other', type: 'A', data: '192.0.2.1' });
  const isHidden = (warning: string): boolean => warning.startsWith('hid');
  expect((await checked(above)).filter(isHidden)).toEqual([]);
  const below = `sub.${above}`;
  expect((await http.post('/v2/domains', { domain: below })).status).toBe(201);
  expect((await checked(above)).filter(isHidden)).toEqual([
    'hidden_by_domain sub A',
    'hidden_by_domain www.sub A',
  ]);
  expect((await checked(below)).filter(isHidden)).toEqual(['hides_records_above  null']);
});

test('rule 52: an SPF look-up in another domain of the account that finds nothing is reported', async () => {
  const [domain, other, wild] = [
    await createDomain(service),
    await createDomain(service),
    await createDomain(service),
  ];
  await createRecord(service, other, { name: '_spf', type: 'TXT', data: 'v=spf1 -all' });
  await createRecord(service, wild, { name: '*', type: 'TXT', data: 'v=spf1 -all' });
  const hasVoid = async (terms: string): Promise<boolean> => {
    const record = await createRecord(service, domain, {
      name: '',
      type: 'TXT',
      data: `v=spf1 ${terms} -all`,
    });
    const found = (await checked(domain)).some((warning) => warning.startsWith('spf_void_lookup'));
    await http.delete(`/v2/domains/${domain}/records/${record.id}`);
    return found;
  };
  expect(await hasVoid(`include:_spf.${other}`)).toBe(false);
  expect(await hasVoid(`include:spf.${other}`)).toBe(true);
  expect(await hasVoid(`a:host.${other}`)).toBe(true);
  expect(await hasVoid(`include:spf.${wild}`)).toBe(false);
  expect(await hasVoid('include:spf.unknown.example')).toBe(false);
});
