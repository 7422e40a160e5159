import { expect, test } from 'vitest';
import type { SeenDelegation, ServerDelegation } from '../../dns-client/ask-delegation.ts';
import { parseDomainName, type DomainName } from '../../dns/name.ts';
import { formatWantedDs } from '../../signer/match-ds.ts';
import type { DelegationFacts, ExpectedDelegation } from './delegation-facts.ts';
import { describeDelegation } from './describe-delegation.ts';

const domain = 'example.com';
const name = nameOf(domain);
const own = ['ns1.example.net', 'ns2.example.net'];
const key = { tag: 27933, algorithm: 13, dnskey: Uint8Array.of(1, 1, 3, 13, 7) };
const otherKey = { tag: 4711, algorithm: 13, dnskey: Uint8Array.of(1, 1, 3, 13, 8) };
const ds = formatWantedDs(name, key);
const glue = [{ name: 'ns1.example.com', address: '192.0.2.53' }];

function nameOf(text: string): DomainName {
  const parsed = parseDomainName(`${text}.`);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

function seen(server: string, found: Partial<SeenDelegation> = {}): ServerDelegation {
  return { name: server, address: '192.0.2.1', nameservers: own, glue: [], ds: [], ...found };
}

const silent: ServerDelegation = {
  name: 'c.net',
  address: undefined,
  problem: { kind: 'no_address', message: 'it has no public address' },
};

function describe(
  servers: readonly ServerDelegation[],
  expected: Partial<ExpectedDelegation> = {},
  facts: Partial<DelegationFacts> = {},
) {
  const whole = { nameservers: own, glue: [], announced: [], keys: [], isInWork: false, ...expected };
  const look = { kind: 'asked', atMs: 1000, sight: { parent: 'com', servers } } as const;
  return describeDelegation({ domain, name, isServed: true, expected: whole, look, ...facts });
}

function codesOf({ problems }: ReturnType<typeof describe>): readonly string[] {
  return problems.map(({ code, servers }) => [code, ...servers].join(' '));
}

test('a delegation that is as expected has no problem, and nothing has to be done', () => {
  const status = describe([seen('a.net', { ds: [ds] }), seen('b.net', { ds: [ds] })], {
    announced: [key],
    keys: [key],
  });
  expect(status).toMatchObject({
    state: 'delegated',
    nextStep: 'Nothing has to be done',
    parent: 'com',
    expected: { nameservers: own, ds: [ds] },
    problems: [],
    lookedAtMs: 1000,
  });
});

test.each([
  ['delegated', [own, own]],
  ['partly', [own, own.slice(1)]],
  ['partly', [own, []]],
  ['partly', [[...own, 'ns.old.net']]],
  ['partly', [['ns.old.net'], []]],
  ['elsewhere', [['ns.old.net'], ['ns.older.net']]],
  ['not_delegated', [[], []]],
  ['no_parent_answer', []],
] as const)('the state is %s if the servers name %j', (state, sets) => {
  const servers = sets.map((nameservers, i) => seen(`${i}.net`, { nameservers }));
  expect(describe([...servers, silent]).state).toBe(state);
});

test('a nameserver that is missing or foreign is named once, with the servers that show it', () => {
  const nameservers = ['ns1.example.net', 'ns.old.net'];
  const status = describe([seen('a.net', { nameservers }), seen('b.net', { nameservers }), seen('d.net')]);
  expect(codesOf(status)).toEqual(['nameserver_missing a.net b.net', 'nameserver_unexpected a.net b.net']);
  expect(status.nextStep).toContain('exactly these nameservers: ns1.example.net, ns2.example.net');
});

test('nameservers inside the domain need their addresses in the delegation', () => {
  const nameservers = ['ns1.example.com'];
  const old = [{ name: 'ns1.example.com', address: '192.0.2.9' }];
  const expected = { nameservers, glue };
  expect(codesOf(describe([seen('a.net', { nameservers, glue })], expected))).toEqual([]);
  const status = describe([seen('a.net', { nameservers, glue: old })], expected);
  expect([status.state, ...codesOf(status)]).toEqual([
    'delegated',
    'glue_missing a.net',
    'glue_unexpected a.net',
  ]);
  expect(status.nextStep).toContain('ns1.example.com 192.0.2.53');
});

test('DS records are compared by key: those of no key make resolvers reject the domain', () => {
  const signed = { announced: [key], keys: [key, otherKey] };
  expect(codesOf(describe([seen('a.net')], signed))).toEqual(['ds_missing a.net']);
  const rolling = seen('a.net', { ds: [ds, formatWantedDs(name, otherKey)] });
  expect(codesOf(describe([rolling], signed))).toEqual([]);
  expect(codesOf(describe([seen('a.net', { ds: [ds] })]))).toEqual(['ds_unexpected a.net']);
  expect(codesOf(describe([seen('a.net', { ds: undefined })], signed))).toEqual(['ds_unknown a.net']);
  const work = describe([seen('a.net')], { ...signed, isInWork: true });
  expect([codesOf(work), work.expected.ds]).toEqual([[], []]);
});

test('a domain that moves here first loses the DS records of the old provider', () => {
  const status = describe([seen('a.net', { nameservers: ['ns.old.net'], ds: [ds] })]);
  expect(status.state).toBe('elsewhere');
  expect(status.nextStep).toMatch(/^First have the DS records of the old provider removed/);
});

test('what is not known is a problem', () => {
  expect(codesOf(describe([seen('a.net'), silent]))).toEqual(['server_without_answer c.net']);
  const look = { kind: 'unknown', reason: 'the parent zone could not be found' } as const;
  const status = describe([], {}, { look });
  expect(status).toMatchObject({ state: 'no_parent_answer', parent: null, servers: [], lookedAtMs: null });
  expect(status.problems).toEqual([
    { code: 'parent_unknown', message: 'The parent zone could not be found', servers: [] },
  ]);
});

test('an address that cannot be reached is no problem if its server answers at another', () => {
  const unreachable = { kind: 'unreachable', message: '2001:db8::1 cannot be reached' } as const;
  const overIpv6: ServerDelegation = { name: 'a.net', address: '2001:db8::1', problem: unreachable };
  const status = describe([overIpv6, seen('a.net')]);
  expect([status.nextStep, codesOf(status)]).toEqual(['Nothing has to be done', []]);
  expect(status.servers).toHaveLength(2);
  expect(codesOf(describe([overIpv6, seen('b.net')]))).toEqual(['server_without_answer a.net']);
  expect(codesOf(describe([seen('a.net', { ds: undefined }), seen('a.net')]))).toEqual([]);
});

test('as long as something is not known, it is not said that nothing has to be done', () => {
  const withoutDs = describe([seen('a.net', { ds: undefined }), seen('b.net')]);
  expect([withoutDs.state, ...codesOf(withoutDs)]).toEqual(['delegated', 'ds_unknown a.net']);
  expect(withoutDs.nextStep).toMatch(/^The nameservers are right.*look again later/);
  expect(describe([seen('a.net'), silent]).nextStep).toMatch(/look again later/);
});

test('a withheld domain and a placeholder come first', () => {
  const withheld = describe([seen('a.net')], {}, { isServed: false });
  expect(codesOf(withheld)).toEqual(['domain_withheld']);
  expect(withheld.nextStep).toContain('zonewright domain verify example.com');
  const placeholder = describe([seen('a.net', { nameservers: [] })], {
    nameservers: ['ns1.zonewright.invalid'],
  });
  expect(codesOf(placeholder)).toEqual(['nameserver_placeholder']);
  expect(placeholder.nextStep).toMatch(/^Ask the operator/);
});
