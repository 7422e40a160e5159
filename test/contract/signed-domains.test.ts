import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { bulkBody } from '../harness/bulk-replies.ts';
import {
  createAccount,
  createDomain,
  createRecord,
  expectError,
  expectUnchanged,
  freshDomainName,
  listOwnRecords,
  listRecords,
  postRecord,
} from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

// With PostgreSQL, there is no file for it.
const service = await startForFile({ ZONEWRIGHT_DNSSEC_SECRET: 'for-tests-only-for-tests-only-1234' });
const { http, dns } = service;

const enabled = { dns_sec: 'enabled' };
const disabled = { dns_sec: 'disabled' };

async function createSigned(domain = freshDomainName()): Promise<string> {
  const created = await http.post('/v2/domains', { domain, ...enabled });
  expect([created.status, created.json.domain?.dns_sec], created.text).toEqual([201, 'enabled']);
  return domain;
}

async function dnssecOf(domain: string): Promise<readonly string[]> {
  return (await http.get(`/v2/domains/${domain}/dnssec`)).json.dns_sec!;
}

async function stateOf(domain: string): Promise<string> {
  return (await http.get(`/v2/domains/${domain}`)).json.domain!.dns_sec;
}

/** The digest of RFC 4034 section 5.1.4, computed without the service. */
function dsOf(domain: string, dnskey: string): string {
  const [flags, protocol, algorithm, ...key] = dnskey.split(' ');
  const head = Buffer.from([Number(flags) >> 8, Number(flags) & 255, Number(protocol), Number(algorithm)]);
  const rdata = Buffer.concat([head, Buffer.from(key.join(''), 'base64')]);
  const sum = rdata.reduce((total, octet, at) => total + (at % 2 === 0 ? octet << 8 : octet), 0);
  const labels = domain.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  const digest = createHash('sha256')
    .update(Buffer.concat([...labels, Buffer.from([0]), rdata]))
    .digest('hex');
  return `${(sum + (sum >> 16)) & 0xffff} ${algorithm} 2 ${digest.toUpperCase()}`;
}

test('rule 32: dnssec lists the key of a signed domain, and the DS record for the parent zone', async () => {
  const domain = await createSigned();
  const [key, ds, ...rest] = await dnssecOf(domain);
  expect(rest).toEqual([]);
  const pattern = new RegExp(`^${domain} IN DNSKEY (257 3 13 [A-Za-z0-9+/]{86}==)$`);
  const [, dnskey] = pattern.exec(key) ?? [];
  expect(dnskey, key).toBeDefined();
  expect(ds).toBe(`${domain} IN DS ${dsOf(domain, dnskey)}`);
  expect(await dns.look(domain, 'DNSKEY')).toHaveLength(1);
  expect(await dns.look(domain, 59)).toHaveLength(1);
  expect(await dns.look(domain, 60)).toHaveLength(1);
});

test('rule 62: a domain is signed when PUT or PATCH is answered, and again changes nothing', async () => {
  for (const method of ['put', 'patch'] as const) {
    const domain = await createDomain(service);
    await createRecord(service, domain, {});
    const serial = await dns.serial(domain);
    const answer = await http[method](`/v2/domains/${domain}`, enabled);
    expect([answer.status, answer.headers['zone-serial']]).toEqual([204, String(serial + 1)]);
    expect(await stateOf(domain)).toBe('enabled');
    expect(await dns.serial(domain)).toBe(serial + 1);
    expect(await dns.look(domain, 'DNSKEY')).toHaveLength(1);
    const keys = await dnssecOf(domain);
    await expectUnchanged(service, domain, async () => {
      expect((await http[method](`/v2/domains/${domain}`, enabled)).status).toBe(204);
      expect((await http[method](`/v2/domains/${domain}?force=true`, enabled)).status).toBe(204);
    });
    expect(await dnssecOf(domain)).toEqual(keys);
  }
});

test('rule 62: no record of the customer appears, and none is counted', async () => {
  const domain = await createDomain(service);
  const www = await createRecord(service, domain, {});
  const path = `/v2/domains/${domain}`;
  const look = async () => ({
    records: await listRecords(service, domain),
    zone: (await http.get(`${path}/zonefile`)).text.replaceAll(/\b\d{10}\b/g, 'SERIAL'),
    found: (await http.get(`/v2/records?search=${domain}`)).text,
    limits: (await http.get('/v2/account/limits')).json,
    check: (await http.get(`${path}/check`)).text,
  });
  const before = await look();
  expect((await http.put(path, enabled)).status).toBe(204);
  const after = await look();
  expect({ ...after, limits: null }).toEqual({ ...before, limits: null });
  const records = (limits: object) => (limits as { limits: { records: object; octets: object } }).limits;
  expect(records(after.limits).records).toEqual(records(before.limits).records);
  expect(records(after.limits).octets).toEqual(records(before.limits).octets);
  const changes = bulkBody(await http.get(`${path}/changes`)).changes as unknown as { action: string }[];
  expect(changes.map(({ action }) => action)).not.toContain('delete');
  expect(changes.filter(({ action }) => action === 'create')).toHaveLength(before.records.length);
  expect((await http.patch(`${path}/records/${www.id}`, { ttl: 60 })).status).toBe(204);
  expect(await listOwnRecords(service, domain)).toEqual([{ ...www, ttl: 60 }]);
});

test('rule 62: creating an existing domain does not sign it', async () => {
  const domain = await createDomain(service);
  await expectUnchanged(service, domain, async () => {
    expectError(await http.post('/v2/domains', { domain, ...enabled }), 409, /is not signed/);
  });
  const signed = await createSigned();
  for (const wish of [enabled, disabled, {}]) {
    const again = await http.post('/v2/domains', { domain: signed, ...wish });
    expect([again.status, again.json.domain?.dns_sec]).toEqual([200, 'enabled']);
  }
});

test('rule 62: a dry run signs nothing and says that it would', async () => {
  const domain = await createDomain(service);
  const signed = await createSigned();
  await expectUnchanged(service, domain, async () => {
    const plan = bulkBody(await http.put(`/v2/domains/${domain}?dry_run=true`, enabled));
    expect(plan.changes).toMatchObject({
      created: [],
      updated: [],
      deleted: [],
      dns_sec: { before: 'disabled', after: 'enabled' },
    });
  });
  await expectUnchanged(service, signed, async () => {
    for (const query of ['', '&force=true']) {
      const plan = bulkBody(await http.put(`/v2/domains/${signed}?dry_run=true${query}`, disabled));
      expect(plan.changes).toMatchObject({ dns_sec: { before: 'enabled', after: 'disabled' } });
    }
  });
  const name = freshDomainName();
  expect((await http.post('/v2/domains?dry_run=true', { domain: name, ...enabled })).status).toBe(200);
  expectError(await http.get(`/v2/domains/${name}`), 404);
});

test('rule 62: preconditions and idempotency keys count for signing, too', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}`;
  const tag = (await http.get(path)).headers.etag!;
  expectError(await http.put(path, enabled, { headers: { 'if-match': '"other"' } }), 412);
  expect(await stateOf(domain)).toBe('disabled');
  expect((await http.put(path, enabled, { headers: { 'if-match': tag } })).status).toBe(204);
  expect((await http.get(path)).headers.etag).not.toBe(tag);

  const body = { domain: freshDomainName(), ...enabled };
  const headers = { 'idempotency-key': freshDomainName() };
  const first = await http.post('/v2/domains', body, { headers });
  const keys = await dnssecOf(body.domain);
  const again = await http.post('/v2/domains', body, { headers });
  expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
  expect(await dnssecOf(body.domain)).toEqual(keys);
});

test('rule 62: a large domain is signed when the request is answered, and unsigned likewise', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}`;
  const lines = Array.from({ length: 3000 }, (_, at) => `n${at} 300 IN A 192.0.2.1`);
  const imported = await http.put(`${path}/zonefile`, `${lines.join('\n')}\n`, {
    headers: { 'content-type': 'text/dns' },
  });
  expect(imported.status).toBe(200);
  expect((await http.put(path, enabled)).status).toBe(204);
  // Over UDP, one of the signatures is the answer.
  expect(await dns.look(`n2999.${domain}`, 'RRSIG')).toHaveLength(1);
  await createRecord(service, domain, { name: 'one.more' });
  expect(await dns.look(`one.more.${domain}`, 'A')).toEqual(['192.0.2.1']);
  expect((await http.put(`${path}?force=true`, { dns_sec: 'disabled' })).status).toBe(204);
  expect(await dns.look(`n2999.${domain}`, 'RRSIG')).toBe('NODATA');
});

test.each([
  ['CDS', '27933 13 2 3F9BA1C4F02D1A4C5A4E1F0E2C0C6E9D8AB3C1C5D7E7B5B2A1908F7E6D5C4B3A'],
  [
    'CDNSKEY',
    '257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==',
  ],
])('rule 62: %s records at the apex belong either to the customer or to the service', async (type, data) => {
  const domain = await createDomain(service);
  const record = await createRecord(service, domain, { type, name: '', data });
  await expectUnchanged(service, domain, async () => {
    expectError(await http.put(`/v2/domains/${domain}`, enabled), 409, /at its apex/);
  });
  expect((await http.delete(`/v2/domains/${domain}/records/${record.id}`)).status).toBe(204);
  expect((await http.put(`/v2/domains/${domain}`, enabled)).status).toBe(204);
  await expectUnchanged(service, domain, async () => {
    expectError(await postRecord(service, domain, { type, name: '', data }), 409);
  });
});

test('rule 62: a restored domain has its key again, and one that is created in its place has another one', async () => {
  const domain = await createSigned();
  const keys = await dnssecOf(domain);
  expect((await http.delete(`/v2/domains/${domain}`)).status).toBe(204);
  const deleted = (await http.get('/v2/deleted_domains?per_page=500')).text;
  expect(deleted).toMatch(new RegExp(`"domain":"${domain}","date_created":"[^"]*","dns_sec":"enabled"`));
  expect((await http.post(`/v2/domains/${domain}/restore`, {})).status).toBe(200);
  expect(await stateOf(domain)).toBe('enabled');
  expect(await dnssecOf(domain)).toEqual(keys);

  expect((await http.delete(`/v2/domains/${domain}`)).status).toBe(204);
  await createSigned(domain);
  const others = await dnssecOf(domain);
  expect(others).toHaveLength(2);
  expect(others[0]).not.toBe(keys[0]);
});

test('rule 63: signing is withdrawn: the domain stays signed until its DS record is gone', async () => {
  const domain = await createSigned();
  const path = `/v2/domains/${domain}`;
  const [key, ds] = await dnssecOf(domain);
  const serial = await dns.serial(domain);
  await expectUnchanged(service, domain, async () => {
    expectError(await http.put(`${path}?force=perhaps`, disabled), 400, /^force must be true or false/);
  });
  const answer = await http.put(path, disabled);
  expect([answer.status, answer.headers['zone-serial']], answer.text).toEqual([204, String(serial + 1)]);
  expect(await stateOf(domain)).toBe('disabled');
  expect(await dnssecOf(domain)).toEqual([key]);
  expect(await dns.look(domain, 'DNSKEY')).toHaveLength(1);
  // CDS and CDNSKEY ask for the removal of all DS records (RFC 8078 section 4).
  const rdataOf = async (type: number) =>
    (await dns.ask(domain, type)).answers.map(({ rdata }) => [...rdata]);
  expect([await rdataOf(59), await rdataOf(60)]).toEqual([[[0, 0, 0, 0, 0]], [[0, 0, 3, 0, 0]]]);
  await createRecord(service, domain, {});
  expect(await dns.look(`www.${domain}`, 'RRSIG')).toHaveLength(1);
  const status = JSON.parse((await http.get(`${path}/dnssec/status`)).text) as object;
  expect(status).toMatchObject({
    dnssec: {
      state: 'going_insecure',
      next_step: expect.stringMatching(/^Have the DS record of .* removed/) as string,
      ds: { wanted: [] },
      rollover: { kind: 'withdrawal', step: 'withdrawing', date_next: null },
    },
  });
  await expectUnchanged(service, domain, async () => {
    for (const query of ['', '?force=false'])
      expect((await http.put(path + query, disabled)).status).toBe(204);
  });
  expect((await http.put(path, enabled)).status).toBe(204);
  expect(await stateOf(domain)).toBe('enabled');
  expect(await dnssecOf(domain)).toEqual([key, ds]);
});

test.each([true, false])(
  'rule 63: force ends signing at once (during a withdrawal: %s)',
  async (isWithdrawn) => {
    const domain = await createSigned();
    const path = `/v2/domains/${domain}`;
    if (isWithdrawn) expect((await http.put(path, disabled)).status).toBe(204);
    expect((await http.put(`${path}?force=true`, disabled)).status).toBe(204);
    expect(await stateOf(domain)).toBe('disabled');
    expect(await dnssecOf(domain)).toEqual([]);
    expect(await dns.look(domain, 'DNSKEY')).toBe('NODATA');
    await expectUnchanged(service, domain, async () => {
      for (const query of ['', '?force=true'])
        expect((await http.put(path + query, disabled)).status).toBe(204);
    });
  },
);

test('rule 64: a signed domain changes how it proves that a name does not exist', async () => {
  const domain = await createSigned();
  const path = `/v2/domains/${domain}/dnssec`;
  const keys = await dnssecOf(domain);
  for (const denial of ['nsec3', 'nsec3', 'nsec']) {
    expect((await http.patch(path, { denial })).status).toBe(204);
    const status = await http.get(`${path}/status`);
    expect(status.json).toMatchObject({ dnssec: { denial } });
    const chain = await dns.look(domain, 'NSEC3PARAM');
    expect(chain === 'NODATA').toBe(denial === 'nsec');
  }
  expect(await dnssecOf(domain)).toEqual(keys);
  await expectUnchanged(service, domain, async () => {
    expect((await http.patch(path, {})).status).toBe(204);
    expect((await http.patch(path, { denial: 'nsec' })).status).toBe(204);
    expect((await http.patch(`${path}?dry_run=true`, { denial: 'nsec3' })).status).toBe(200);
    expectError(await http.patch(path, { denial: 'nsec5' }), 400, /denial/);
  });
  const unsigned = await createDomain(service);
  expectError(await http.patch(`/v2/domains/${unsigned}/dnssec`, { denial: 'nsec3' }), 409);
});

test('rule 59: signing a large domain, and exchanging its key, are paid from the work of a minute', async () => {
  const customer = await createAccount(service);
  const domain = await createDomain(customer);
  const records = Array.from({ length: 200 }, (_, at) => ({
    type: 'A',
    name: `n${at}`,
    data: '192.0.2.1',
    ttl: 60,
  }));
  expect((await customer.http.put(`/v2/domains/${domain}/zonefile`, { records })).status).toBe(200);
  const path = `/v2/domains/${domain}`;
  await http.put(`/v2/accounts/${customer.id}/limits`, { cost_per_minute: 10 });
  expect((await customer.http.put(path, { dns_sec: 'enabled' })).status).toBe(204);
  for (const refused of [
    await customer.http.post(`${path}/dnssec/rollovers`, {}),
    await customer.http.put(path, { dns_sec: 'disabled' }),
  ]) {
    expectError(refused, 429);
    expect(refused.json).toMatchObject({ code: 'cost_exceeded' });
  }
});
