import { expect, test } from 'vitest';
import {
  allRecords,
  author,
  decideAtOnce,
  domainOf,
  feedLength,
  openBatch,
  record,
  scene,
  stranger,
  zone,
} from './decide-scene.test-support.ts';
import type { ZoneName } from '../model/domain.ts';

const nameservers = [record('n1', '@ NS ns1.example.net'), record('n2', '@ NS ns2.example.net')];

test('rule 16: a new domain has the nameservers, the address asked for, and nothing else', () => {
  const batch = openBatch();
  const address = record('a', '@ A 192.0.2.1');
  const result = decideAtOnce({ kind: 'createDomain', author, name: zone, address, nameservers }, batch);
  expect(result).toMatchObject({
    ok: true,
    changed: true,
    value: { name: zone, accountId: 'account-1', createdAtSeconds: 1_795_000_000, recordCount: 3 },
  });
  expect(new Set(allRecords(batch))).toEqual(new Set([...nameservers, address]));
});

test.each<[string, typeof author, string | null, string]>([
  ['without an address', author, null, 'kept'],
  ['with the address that is bound', author, '@ A 192.0.2.1', 'kept'],
  ['with the second address that is bound', author, '@ AAAA ::1', 'kept'],
  ['with another address', author, '@ A 192.0.2.2', 'domain_exists'],
  ['by another account', stranger, null, 'domain_taken'],
  ['by another account with the address', stranger, '@ A 192.0.2.1', 'domain_taken'],
])('rule 17: creating a domain again %s', (_, by, address, expected) => {
  const { batch } = scene('@ A 192.0.2.1', '@ AAAA ::1');
  const changes = feedLength(batch);
  const before = domainOf(batch);
  const result = decideAtOnce(
    {
      kind: 'createDomain',
      author: by,
      name: zone,
      address: address === null ? null : record('new', address, { ttl: 60 }),
      nameservers: [record('again', '@ NS ns1.example.net')],
    },
    batch,
  );
  if (expected === 'kept') expect(result).toEqual({ ok: true, changed: false, value: before });
  else expect(result).toMatchObject({ ok: false, refusal: { code: expected } });
  expect(feedLength(batch)).toBe(changes);
});

test.each<[string, string, typeof author, string]>([
  ['the holder may create a domain inside a domain', 'a.b.example.com', author, 'created'],
  ['another account may not', 'a.b.example.com', stranger, 'domain_taken'],
  ['a name that only ends alike is no part of it', 'notexample.com', stranger, 'created'],
])('%s', (_, name, by, expected) => {
  const { batch } = scene();
  const command = {
    kind: 'createDomain',
    author: by,
    name: name as ZoneName,
    address: null,
    nameservers,
  } as const;
  const result = decideAtOnce(command, batch);
  expect(result.ok ? 'created' : result.refusal.code).toBe(expected);
});

test('rule 55: a reserved domain is refused, but one that the account already has is found', () => {
  const { batch } = scene();
  const reservation = 'Domain "x" is reserved';
  const create = (name: string) =>
    decideAtOnce(
      { kind: 'createDomain', author, name: name as ZoneName, address: null, nameservers, reservation },
      batch,
    );
  expect(create('x.onion')).toMatchObject({ refusal: { code: 'name_reserved', message: reservation } });
  expect(create(zone)).toMatchObject({ ok: true, changed: false });
});

test('rule 17: the refusals say whose the domain is and which address is not bound', () => {
  const { batch } = scene('@ A 192.0.2.1');
  const again = (by: typeof author) =>
    decideAtOnce(
      { kind: 'createDomain', author: by, name: zone, address: record('x', '@ A 192.0.2.2'), nameservers },
      batch,
    );
  expect(again(stranger)).toMatchObject({
    refusal: { message: 'Domain "example.com" is held by another account' },
  });
  expect(again(author)).toMatchObject({
    refusal: { message: 'Domain "example.com" exists and is not bound to "192.0.2.2"', field: 'ip' },
  });
});

test('rule 31: SOA fields are set one by one, and equal values change nothing', () => {
  const { batch } = scene();
  const update = (fields: { soaPrimary?: string; soaEmail?: string }) =>
    decideAtOnce({ kind: 'updateDomain', author, name: zone, ...fields }, batch);
  expect(update({ soaPrimary: 'ns.own.example' })).toMatchObject({
    changed: true,
    value: { soaEmail: null },
  });
  expect(update({ soaEmail: 'me@own.example' })).toMatchObject({
    value: { soaPrimary: 'ns.own.example', soaEmail: 'me@own.example' },
  });
  const changes = feedLength(batch);
  for (const fields of [{}, { soaPrimary: 'ns.own.example' }, { soaEmail: 'me@own.example' }]) {
    expect(update(fields)).toEqual({ ok: true, changed: false, value: domainOf(batch) });
  }
  expect(feedLength(batch)).toBe(changes);
});

test('rule 30: a removed domain is gone with its records, and unknown when removed again', () => {
  const { batch } = scene('www A 192.0.2.1');
  const remove = () => decideAtOnce({ kind: 'deleteDomain', author, name: zone }, batch);
  expect(remove()).toMatchObject({ ok: true, value: null });
  expect(batch.findDomain(zone)).toBeUndefined();
  expect(allRecords(batch)).toEqual([]);
  expect(remove()).toMatchObject({ refusal: { code: 'unknown_domain' } });
});

test('rule 8: the domain of another account is unknown', () => {
  const { batch } = scene();
  const changes = feedLength(batch);
  const refusal = {
    code: 'unknown_domain',
    message: 'Invalid domain: there is no domain "example.com" in this account',
  };
  expect(decideAtOnce({ kind: 'deleteDomain', author: stranger, name: zone }, batch)).toMatchObject({
    refusal,
  });
  expect(
    decideAtOnce({ kind: 'updateDomain', author: stranger, name: zone, soaPrimary: 'a.test' }, batch),
  ).toMatchObject({ refusal });
  expect(feedLength(batch)).toBe(changes);
});
