import { expect, test } from 'vitest';
import { describeRights } from './describe-rights.ts';
import type { ZoneName } from './domain.ts';
import { readKeyLimits, rightsToJson, storeKeyLimits } from './key-limits.ts';
import { parseNetworks } from './key-limits.ts';
import { parseRights, type GrantInput } from './parse-rights.ts';
import { permissions } from './permission.ts';
import type { OwnerKey } from './record.ts';
import {
  coversRights,
  domainsWith,
  hasEverywhere,
  hasSome,
  limitsInDomain,
  permitsInDomain,
  permitsRecord,
  unlimited,
  type Rights,
} from './rights.ts';
import { describeScopes, scopeRights } from './scope-rights.ts';

const example = 'example.com' as ZoneName;
const other = 'example.net' as ZoneName;
const TXT = 16;
const A = 1;

function rightsFrom(...grants: GrantInput[]): Rights {
  const rights = parseRights(grants);
  if (!rights.ok) throw new Error(rights.refusal.message);
  return rights.value;
}

const challenge: GrantInput = {
  may: ['records:create', 'records:delete'],
  domains: ['example.com'],
  names: ['_acme-challenge.www'],
  types: ['TXT'],
};

test('a grant covers its permissions, domains, names and types, and nothing else', () => {
  const rights = rightsFrom(challenge);
  const name = '_acme-challenge.www' as OwnerKey;
  const place = { owner: name, type: TXT };
  expect(permitsRecord(rights, 'records:create', example, place)).toBe(true);
  expect(permitsRecord(rights, 'records:update', example, place)).toBe(false);
  expect(permitsRecord(rights, 'records:create', other, place)).toBe(false);
  expect(permitsRecord(rights, 'records:create', example, { owner: name, type: A })).toBe(false);
  expect(permitsRecord(rights, 'records:create', example, { owner: 'www' as OwnerKey, type: TXT })).toBe(
    false,
  );
  expect(permitsInDomain(rights, 'records:create', example)).toBe(true);
  expect(permitsInDomain(rights, 'records:create', other)).toBe(false);
  expect(hasSome(rights, 'records:create')).toBe(true);
  expect(hasEverywhere(rights, 'records:create')).toBe(false);
});

test('limits of two grants are never mixed', () => {
  const www = { may: ['records:create'], domains: ['example.com'], names: ['www'], types: ['A'] };
  const mail = { may: ['records:create'], domains: ['example.net'], names: ['@'], types: ['MX'] };
  const rights = rightsFrom(www, mail);
  const at = (domain: ZoneName, owner: string, type: number) =>
    permitsRecord(rights, 'records:create', domain, { owner: owner as OwnerKey, type });
  expect([at(example, 'www', A), at(other, '', 15)]).toEqual([true, true]);
  expect([at(other, 'www', A), at(example, '', 15), at(example, 'www', 15)]).toEqual([false, false, false]);
});

test('the domains and limits of a permission are those of its grants alone', () => {
  const rights = rightsFrom(challenge, { may: ['domains:read'], domains: ['example.net', 'example.com'] });
  expect(domainsWith(rights, 'domains:read')).toEqual(['example.com', 'example.net']);
  expect(domainsWith(rights, 'domains:delete')).toEqual([]);
  expect(domainsWith(scopeRights.read, 'domains:read')).toBeNull();
  expect(limitsInDomain(rights, 'records:create', other)).toEqual([]);
  expect(limitsInDomain(rights, 'records:create', example)).toMatchObject([{ types: [TXT] }]);
  expect(limitsInDomain(scopeRights.full, 'records:create', example)).toBeNull();
});

test.each<[string, GrantInput, GrantInput, boolean]>([
  ['the same', challenge, challenge, true],
  ['fewer permissions', challenge, { ...challenge, may: ['records:create'] }, true],
  ['more permissions', challenge, { ...challenge, may: ['records:read'] }, false],
  ['another domain', challenge, { ...challenge, domains: ['example.net'] }, false],
  ['all domains', challenge, { may: challenge.may, names: challenge.names!, types: ['TXT'] }, false],
  ['all names', challenge, { may: challenge.may, domains: ['example.com'], types: ['TXT'] }, false],
  ['another type', challenge, { ...challenge, types: ['TXT', 'A'] }, false],
  ['a name in a pattern', { ...challenge, names: ['_acme-challenge.**'] }, challenge, true],
])('coversRights(): %s', (_, outer, inner, expected) => {
  expect(coversRights(rightsFrom(outer), rightsFrom(inner))).toBe(expected);
});

test('each scope covers the smaller ones', () => {
  const { read, full, admin } = scopeRights;
  expect([coversRights(full, read), coversRights(admin, full), coversRights(admin, read)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([coversRights(read, full), coversRights(full, admin)]).toEqual([false, false]);
  expect(describeScopes('records:read')).toBe('read, full or admin');
  expect(describeScopes('keys:write')).toBe('admin');
});

test.each<[GrantInput, string]>([
  [{ may: [] }, 'rights[0].may'],
  [{ may: ['records:destroy'] }, 'rights[0].may'],
  [{ may: ['records:read'], domains: [] }, 'rights[0].domains'],
  [{ may: ['records:read'], domains: ['bad..name'] }, 'rights[0].domains'],
  [{ may: ['records:read'], names: ['**'] }, 'rights[0].names'],
  [{ may: ['records:read'], types: ['NOPE'] }, 'rights[0].types'],
  [{ may: ['zones:write'], names: ['www'] }, 'rights[0].names'],
  [{ may: ['domains:delete'], types: ['A'] }, 'rights[0].types'],
  [{ may: ['account:read'], domains: ['example.com'] }, 'rights[0].domains'],
])('parseRights() refuses %j', (grant, field) => {
  const rights = parseRights([grant]);
  expect(rights.ok ? undefined : rights.refusal.field).toBe(field);
});

test('parseRights() has limits', () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
  const domains = (count: number, from = 0) => names(count).map((_, at) => `d${from + at}.example`);
  const fits = (...grants: GrantInput[]) => parseRights(grants).ok;
  const one = { may: ['records:read'] };
  expect([
    fits(),
    fits(...Array.from({ length: 10 }, () => one)),
    fits(...Array.from({ length: 11 }, () => one)),
  ]).toEqual([false, true, false]);
  expect([fits({ ...one, names: names(50) }), fits({ ...one, names: names(51) })]).toEqual([true, false]);
  expect(fits({ ...one, domains: domains(100) })).toBe(true);
  expect(fits({ ...one, domains: domains(100) }, { ...one, domains: domains(1, 100) })).toBe(false);
});

test('limits of a key are stored and read as they are; those of a later version allow nothing', () => {
  const networks = parseNetworks(['192.0.2.0/24', '2001:db8::1']);
  if (!networks.ok) throw new Error(networks.refusal.message);
  const limits = { rights: rightsFrom(challenge), networks: networks.value, expiresAtSeconds: 1_800_000_000 };
  expect(readKeyLimits(storeKeyLimits(limits))).toEqual(limits);
  const none = { rights: null, networks: null, expiresAtSeconds: null };
  expect(readKeyLimits(storeKeyLimits(none))).toEqual(none);
  const later = '{"rights":[{"may":["moon:read","records:read"]}],"networks":["moon"]}';
  expect(readKeyLimits(later)).toEqual({ rights: [], networks: [], expiresAtSeconds: null });
});

test('rights are shown as they were sent, and as a sentence', () => {
  const rights = rightsFrom(challenge, { may: ['domains:read'] });
  expect(rightsToJson(rights)).toEqual([challenge, { may: ['domains:read'] }]);
  expect(describeRights(rights)).toBe(
    'May create and delete TXT records named _acme-challenge.www in example.com; may see domains',
  );
  expect(describeRights([])).toBe('May do nothing');
  const most = permissions.filter((permission) => permission !== 'accounts:write');
  expect(describeRights([unlimited(most)])).toBe(
    'May do everything with domains and records, do everything with the account, its keys and its users, read metrics and see all accounts',
  );
  expect(describeRights([unlimited(['records:read', 'domains:read', 'domains:create'])])).toBe(
    'May read records, see domains and create domains',
  );
});
