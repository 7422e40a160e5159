import { expect, test } from 'vitest';
import type { ServerDs } from '../../dns-client/ask-ds.ts';
import { describeParentOnly, describeSignedSource } from './describe-signing.ts';
import {
  addKeys,
  combineViews,
  expectsSignatures,
  holdsDelegation,
  viewAsJson,
  type ResolverView,
} from './parent-view.ts';

const DS = '1 13 2 AB';
const has: Partial<ServerDs> = { ds: [DS], ttl: 86_400 };
const hasNone: Partial<ServerDs> = { ds: [], ttl: 600 };
const fails: Partial<ServerDs> = { problem: { kind: 'timeout', message: 'it did not answer' } };

/** Nameservers `a`, `b` and so on, or with two addresses if they are given twice. */
function see(
  found: Record<string, readonly Partial<ServerDs>[]>,
  resolver: ResolverView = { state: 'absent' },
) {
  const servers = Object.entries(found).flatMap(([name, answers]) =>
    answers.map((answer, i) => ({ name, address: `192.0.2.${i}`, ...answer }) as ServerDs),
  );
  const ttls = servers.map((server) => ('ds' in server && server.ds.length > 0 ? server.ttl : 0));
  return combineViews(resolver, { parent: 'com', servers, maxTtl: Math.max(...ttls) });
}

test('while a nameserver of the parent zone has a DS record, the sentence says what to do and how long to wait', () => {
  const all = see({ a: [has, fails], b: [has] });
  expect(describeSignedSource('example.com', all, 3600)).toBe(
    'the zone is signed there, but not here: the parent zone com has the DS record 1 13 2 AB: have it removed at the ' +
      'registrar, wait until no nameserver of the parent zone has it, then wait for its whole TTL (24 h) and after that ' +
      "for the TTL of the zone's keys (60 min), and only then change the delegation",
  );
  const some = see({ a: [has], b: [hasNone], c: [hasNone], d: [fails] });
  expect(describeParentOnly('example.com', some)).toMatch(
    /^the domain is not signed here, but 1 of the 3 nameservers of the parent zone com have the DS record .*\(not known from d\)$/,
  );
  expect([all, some].map(expectsSignatures)).toEqual([true, true]);
  const other = see({ a: [{ ds: ['2 13 2 CD', DS], ttl: 60 }], b: [has] });
  expect(describeParentOnly('example.com', other)).toContain('the DS record 2 13 2 CD, 1 13 2 AB: ');
});

test('once it is gone, resolvers can still expect signatures, by the record or by the keys', () => {
  const cached = see({ a: [hasNone] }, { state: 'present', records: [DS], ttl: 2400 });
  expect(describeSignedSource('example.com', cached, undefined)).toMatch(
    /no DS record any more, .* at least another 40 min\), and only then/,
  );
  expect(describeParentOnly('example.com', cached)).toMatch(
    /^the parent zone com has no DS record any more, /,
  );
  expect(expectsSignatures(cached)).toBe(true);
  const gone = see({ a: [hasNone] });
  if (gone.state !== 'absent' || cached.state !== 'absent') throw new Error('there is a DS record');
  expect([gone, cached].map((view) => addKeys(view, 60))).toMatchObject([
    { remembered: 60 },
    { remembered: 2460 },
  ]);
  expect(addKeys(gone, 0)).toBe(gone);
  expect(describeSignedSource('example.com', gone, undefined)).toMatch(
    /com has no DS record, so the delegation can change; /,
  );
  expect(describeParentOnly('example.com', gone)).toBeUndefined();
  expect(expectsSignatures(gone)).toBe(false);
});

test('a nameserver of the parent zone that does not answer may still have the DS record', () => {
  const some = see({ a: [hasNone], b: [fails] });
  expect(describeSignedSource('example.com', some, undefined)).toMatch(
    /that answered have no DS record: ask again until all of them say so \(not known from b\)$/,
  );
  const views = [some, see({ a: [hasNone] }), { state: 'unknown', reason: 'r' } as const, undefined];
  expect(views.map((view) => holdsDelegation(view, true))).toEqual([true, false, true, false]);
  expect(views.map((view) => holdsDelegation(view, false))).toEqual([false, false, false, false]);
});

test('without an answer from the parent zone, the view of the resolver is left', () => {
  const view = { state: 'present', records: [DS], ttl: 60 } as const;
  expect(see({ a: [fails] }, view)).toEqual(view);
  expect(describeSignedSource('example.com', view, undefined)).toMatch(
    /: a resolver has the DS record 1 13 2 AB: .* \(no nameserver of the parent zone could be asked\)$/,
  );
  expect(describeSignedSource('example.com', { state: 'absent' }, undefined)).toMatch(/could be asked\)$/);
  const unknown = { state: 'unknown', reason: 'r did not answer' } as const;
  expect(describeSignedSource('example.com', unknown, undefined)).toContain(
    'has a DS record for example.com (r did not answer)',
  );
  expect(describeSignedSource('example.com', undefined, undefined)).toContain(
    'if the parent zone has a DS record',
  );
  expect([unknown, undefined].map(expectsSignatures)).toEqual([false, false]);
});

test('--json has each address of the nameservers', () => {
  expect(viewAsJson(see({ a: [has, fails] }))).toEqual({
    state: 'present',
    ds: [DS],
    ttl: 86_400,
    zone: 'com',
    servers: [
      { name: 'a', address: '192.0.2.0', ds: [DS], ttl: 86_400 },
      { name: 'a', address: '192.0.2.1', problem: 'it did not answer' },
    ],
  });
  const cached = see({ a: [hasNone] }, { state: 'present', records: [DS], ttl: 5 });
  expect(viewAsJson(cached)).toMatchObject({ state: 'absent', ds: [], remembered: 5 });
  expect(viewAsJson({ state: 'absent' })).toEqual({ state: 'absent', ds: [] });
  expect(viewAsJson({ state: 'unknown', reason: 'r' })).toEqual({ state: 'unknown', reason: 'r' });
});
