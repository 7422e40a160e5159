import { afterAll, expect, test } from 'vitest';
import type { ExplanationJson } from '../../src/contract/explanation-shape.ts';
import { startNameserver } from '../../src/dns-client/nameserver.test-support.ts';
import { recordOf } from '../../src/dns-client/parent.test-support.ts';
import { formatServerAddress } from '../../src/dns-client/server-address.ts';
import {
  createAccount,
  createDomain,
  createRecord,
  freshDomainName,
  type Account,
} from '../harness/fixtures.ts';
import { startForFile, startService } from '../harness/service.ts';

/* Rule 86: the answers are those of the nameserver, the reasons come from the records. */

const service = await startForFile();

async function ask(
  { http }: Account,
  domain: string,
  query: Readonly<Record<string, string>>,
): Promise<ExplanationJson> {
  const reply = await http.get(`/v2/domains/${domain}/explain?${new URLSearchParams(query).toString()}`);
  expect(reply.status, reply.text).toBe(200);
  return (JSON.parse(reply.text) as { explanation: ExplanationJson }).explanation;
}

const codesOf = ({ steps }: ExplanationJson): readonly string[] => steps.map(({ code }) => code);

test('rule 86: every kind of answer is predicted and explained as the nameserver gives it', async () => {
  const account = await createAccount(service);
  const domain = await createDomain(account);
  const add = (name: string, type: string, data: string) =>
    createRecord(account, domain, { name, type, data });
  const www = await add('www', 'A', '192.0.2.1');
  const wild = await add('*.wild', 'A', '192.0.2.2');
  await add('a.empty', 'A', '192.0.2.3');
  await add('alias', 'CNAME', `x.wild.${domain}`);
  await add('far', 'CNAME', 'www.example.net');
  const ns = await add('cut', 'NS', `ns.cut.${domain}`);
  const glue = await add('ns.cut', 'A', '192.0.2.4');

  const exact = await ask(account, domain, { name: 'www' });
  expect(exact).toMatchObject({
    name: `www.${domain}`,
    type: 'A',
    predicted: { rcode: 'NOERROR', answer: [{ name: `www.${domain}`, type: 'A' }] },
    served: { rcode: 'NOERROR', authoritative: true, answer: [`www.${domain}. 300 IN A 192.0.2.1`] },
    agrees: true,
    note: null,
    resolver: null,
  });
  expect(exact.steps[0]).toMatchObject({ code: 'exact_match', records: [www.id] });

  const cases: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
    ['x.wild', 'NOERROR', ['wildcard', 'exact_match', 'unsigned'], [wild.id, wild.id]],
    ['empty', 'NOERROR', ['empty_non_terminal', 'unsigned'], []],
    ['nothing.empty', 'NXDOMAIN', ['no_such_name', 'unsigned'], []],
    ['far', 'NOERROR', ['cname', 'leaves_domain', 'unsigned'], []],
    ['alias', 'NOERROR', ['cname', 'wildcard', 'exact_match', 'unsigned'], []],
    ['ns.cut', 'NOERROR', ['delegation', 'glue', 'occluded', 'unsigned'], [ns.id, glue.id, glue.id]],
  ];
  for (const [name, rcode, codes, ids] of cases) {
    const explained = await ask(account, domain, { name });
    expect([codesOf(explained), explained.served?.rcode, explained.agrees], name).toEqual([
      codes,
      rcode,
      true,
    ]);
    if (ids.length > 0)
      expect(
        explained.steps.flatMap(({ records }) => records),
        name,
      ).toEqual(ids);
  }
  const soa = await ask(account, domain, { type: 'soa', name: '@' });
  expect([codesOf(soa), soa.agrees]).toEqual([['made_by_service', 'unsigned'], true]);
});

test('rule 86: a domain inside another one answers for itself', async () => {
  const account = await createAccount(service);
  const domain = await createDomain(account);
  await createDomain(account, `sub.${domain}`);
  expect(await ask(account, domain, { name: 'www.sub' })).toMatchObject({
    steps: [{ code: 'other_domain', name: `sub.${domain}` }],
    predicted: null,
    served: { rcode: 'NXDOMAIN' },
    agrees: null,
  });
  expect(await ask(account, `sub.${domain}`, { type: 'DS' })).toMatchObject({
    steps: [{ code: 'other_domain', name: domain }],
  });
});

test('rule 86: the nameserver says what exists in a domain that is too large to be searched', async () => {
  const account = await createAccount(service);
  const domain = await createDomain(account);
  const records = Array.from({ length: 1500 }, (_, i) => ({
    ...{ type: 'A', name: `h${i}.deep.inside`, data: '192.0.2.1', ttl: 300 },
  }));
  const batch = await account.http.post(`/v2/domains/${domain}/batch`, { create: records });
  expect(batch.status, batch.text.slice(0, 200)).toBe(200);
  await createRecord(account, domain, { name: '*', type: 'A', data: '192.0.2.9' });
  // The only names below are a wildcard, and one below a wildcard.
  await createRecord(account, domain, { name: '*.wild', type: 'A', data: '192.0.2.8' });
  await createRecord(account, domain, { name: 'a.*.outer', type: 'A', data: '192.0.2.7' });
  const codes = async (name: string) => {
    const explained = await ask(account, domain, { name });
    return [...codesOf(explained), explained.agrees];
  };
  expect(await codes('inside')).toEqual(['empty_non_terminal', 'unsigned', true]);
  expect(await codes('x.deep.inside')).toEqual(['no_such_name', 'unsigned', true]);
  expect(await codes('x.y.z')).toEqual(['wildcard', 'exact_match', 'unsigned', true]);
  expect(await codes('wild')).toEqual(['empty_non_terminal', 'unsigned', true]);
  expect(await codes('x.wild')).toEqual(['wildcard', 'exact_match', 'unsigned', true]);
  expect(await codes('outer')).toEqual(['empty_non_terminal', 'unsigned', true]);
  expect(await codes('x.outer')).toEqual(['wildcard', 'no_such_type', 'unsigned', true]);
});

test('rule 86: a malformed question and a resolver that may not be asked are 400', async () => {
  const account = await createAccount(service);
  const domain = await createDomain(account);
  for (const [query, field] of [
    ['type=NOPE', 'type'],
    ['type=ANY', 'type'],
    ['name=a..b', 'name'],
    ['resolver=127.0.0.1', 'resolver'],
    ['resolver=dns.example', 'resolver'],
    ['at=1&resolver=192.0.2.1', 'resolver'],
    ['at=yesterday', undefined],
  ]) {
    const reply = await account.http.get(`/v2/domains/${domain}/explain?${query}`);
    expect([reply.status, reply.json.code, reply.json.field], query).toEqual([400, 'invalid_request', field]);
  }
  const foreign = await (await createAccount(service)).http.get(`/v2/domains/${domain}/explain`);
  expect(foreign.status).toBe(404);
});

test('rule 86: the answer is explained as it was at a serial or a time', async () => {
  const account = await createAccount(service);
  const domain = await createDomain(account);
  const { id } = await createRecord(account, domain, { name: 'x.w', data: '192.0.2.1' });
  const { serial } = await ask(account, domain, { name: 'x.w' });
  const many = Array.from({ length: 1100 }, (_, at) => ({
    type: 'A',
    name: `n${at}`,
    data: '192.0.2.9',
    ttl: 60,
  }));
  const path = `/v2/domains/${domain}`;
  const changed = await account.http.post(`${path}/batch`, {
    create: [...many, { type: 'CNAME', name: '*.w', data: domain, ttl: 60 }],
    update: [{ id, name: 'moved' }],
  });
  expect(changed.status, changed.text).toBe(200);
  expect(codesOf(await ask(account, domain, { name: 'x.w' }))).toContain('wildcard');

  const then = await ask(account, domain, { name: 'x.w', at: String(serial) });
  expect(then).toMatchObject({
    ...{ name: `x.w.${domain}`, type: 'A', serial, served: null, agrees: null, resolver: null },
    predicted: { rcode: 'NOERROR', answer: [{ name: `x.w.${domain}`, type: 'A' }] },
    steps: [{ code: 'exact_match', records: [id] }, { code: 'not_known' }],
  });
  expect(then.note).toContain('how the records were then');
  // The nameserver is asked which names of a large domain exist.
  const none = await ask(account, domain, { name: 'a.none', at: String(serial) });
  expect([none.predicted?.rcode, ...codesOf(none)]).toEqual(['NXDOMAIN', 'no_such_name', 'not_known']);
  // It says nothing of the past where the wildcard has come since.
  const hidden = await ask(account, domain, { name: 'y.w', at: String(serial) });
  expect([hidden.predicted, ...codesOf(hidden)]).toEqual([null, 'not_known', 'not_known']);
  const now = new Date(Date.now() + 60_000).toISOString();
  const wild = await ask(account, domain, { name: 'y.w', at: now });
  expect([wild.predicted?.rcode, ...codesOf(wild).slice(0, 2)]).toEqual(['NOERROR', 'wildcard', 'cname']);
  const early = await account.http.get(`${path}/explain?at=${serial - 100}`);
  expect([early.status, early.json.code]).toEqual([409, 'history_gone']);
});

// The resolver ends with the test that starts it.
test('rule 86: a resolver that the operator allows is asked the same question', async () => {
  const resolver = await startNameserver(({ questions }) => ({
    flags: 0x00a0,
    answers: [recordOf(questions[0].name, '192.0.2.77')],
  }));
  const own = await startService({
    settings: { ZONEWRIGHT_ASKED_RESOLVERS: formatServerAddress(resolver) },
  });
  afterAll(() => own.stop());
  const account = await createAccount(own);
  const domain = await createDomain(account, freshDomainName());
  expect(await ask(account, domain, { name: 'www', resolver: '127.0.0.1' })).toMatchObject({
    served: { rcode: 'NXDOMAIN' },
    resolver: {
      address: '127.0.0.1',
      rcode: 'NOERROR',
      authenticated: true,
      answer: [`www.${domain}. 60 IN A 192.0.2.77`],
      problem: null,
    },
  });
});
