import { expect, test } from 'vitest';
import type { Claim } from '../model/claim.ts';
import type { DeletedDomain, Domain, ZoneName } from '../model/domain.ts';
import type { NameTerms } from './command.ts';
import { serviceAuthor } from './author.ts';
import {
  author,
  decideAtOnce,
  domainOf,
  openBatch,
  record,
  storedZone,
  stranger,
  zone,
} from './decide-scene.test-support.ts';
import type { PendingBatch } from './pending-batch.ts';

const nowSeconds = Math.floor(author.atMs / 1000);
const unverifiedSince = (sinceSeconds: number): Pick<Domain, 'claim' | 'withheld'> => ({
  claim: { proof: null, sinceSeconds },
  withheld: ['unverified'],
});
const unverified: Domain = { ...storedZone, ...unverifiedSince(1000) };

function create(batch: PendingBatch, terms: NameTerms, by = author, name = zone) {
  return decideAtOnce(
    { kind: 'createDomain', author: by, name, address: null, nameservers: [], ...terms },
    batch,
  );
}

test.each<[string, NameTerms, Claim | null, Domain['withheld']]>([
  ['while nobody has to show control', {}, null, []],
  ['of a customer', { claim: 'unverified' }, { proof: null, sinceSeconds: nowSeconds }, ['unverified']],
  [
    'of an administrator',
    { claim: 'administrator' },
    { proof: 'administrator', sinceSeconds: nowSeconds },
    [],
  ],
])('a new domain %s has its claim', (_, terms, claim, withheld) => {
  const batch = openBatch();
  expect(create(batch, terms)).toMatchObject({ ok: true, value: { claim, withheld } });
  const { changes, createdDomains } = batch.finish();
  expect(createdDomains).toMatchObject([{ claim, withheld, withheldSeq: null }]);
  const isWithheld = withheld.length > 0;
  expect(changes.map(({ kind }) => kind)).toEqual(
    isWithheld ? ['domainPut', 'domainWithhold'] : ['domainPut'],
  );
});

test.each<[string, Partial<Domain>, typeof author, Claim['proof']]>([
  ['a served domain of the account', {}, author, 'parent'],
  ['a suspended one', { withheld: ['suspended'] }, author, 'parent'],
  ['a verified one', { claim: { proof: 'challenge', sinceSeconds: 1 } }, author, 'parent'],
  ['an unverified one', unverifiedSince(1), author, null],
  ['an unverified one of another account', unverifiedSince(1), stranger, null],
])('a domain inside %s', (_, above, by, proof) => {
  const batch = openBatch({ domains: [{ ...storedZone, ...above }] });
  const name = `a.b.${zone}` as ZoneName;
  expect(create(batch, { claim: 'unverified' }, by, name)).toMatchObject({
    ok: true,
    value: { claim: { proof } },
  });
});

test.each<[string, Partial<Domain>, string | undefined]>([
  ['a served domain', {}, 'domain_taken'],
  ['an unverified domain', unverifiedSince(1), undefined],
])('%s of another account keeps names above and below: %s', (_, below, code) => {
  const name = `b.${zone}` as ZoneName;
  for (const asked of [zone, `a.b.${zone}` as ZoneName]) {
    const batch = openBatch({ domains: [{ ...storedZone, ...below, name }] });
    const result = create(batch, { claim: 'unverified' }, stranger, asked);
    expect(result.ok ? undefined : result.refusal.code).toBe(code);
  }
});

test.each<[string, Partial<Domain>, NameTerms, string | undefined]>([
  ['without a proof', unverifiedSince(1), { claim: 'unverified' }, 'domain_claimed'],
  ['where nobody has to show control', unverifiedSince(1), {}, 'domain_claimed'],
  ['with a challenge', unverifiedSince(1), { claim: 'challenge' }, undefined],
  ['with a delegation', unverifiedSince(1), { claim: 'delegation' }, undefined],
  ['by an administrator', unverifiedSince(1), { takesHeldNames: true }, undefined],
  ['that is open, with a challenge', {}, { claim: 'challenge' }, 'domain_taken'],
  [
    'that is verified, with a challenge',
    { claim: { proof: 'delegation', sinceSeconds: 1 } },
    { claim: 'challenge' },
    'domain_taken',
  ],
])('the name of a domain of another account is taken %s: %s', (_, held, terms, code) => {
  const batch = openBatch({ domains: [{ ...storedZone, ...held }] });
  const result = create(batch, terms, stranger);
  expect(result.ok ? undefined : result.refusal.code).toBe(code);
  expect(domainOf(batch).accountId).toBe(code === undefined ? stranger.accountId : author.accountId);
});

test('the account whose unverified domain makes way learns of nothing but that', () => {
  const by = { ...stranger, address: '192.0.2.1', note: 'mine' };
  const batch = openBatch({
    domains: [{ ...unverified, recordCount: 2 }],
    records: { 1: [record('r1', '@ NS ns1.example.net'), record('r2', 'www A 192.0.2.1')] },
  });
  create(batch, { claim: 'challenge' }, by);
  const { changes, changeAuthors, deletedDomains, createdDomains, trail } = batch.finish();
  expect(
    changes.map(({ kind, accountId, keyId, address, note }) => [kind, accountId, keyId, address, note]),
  ).toEqual([
    ['domainDelete', author.accountId, '', null, null],
    ['domainPut', stranger.accountId, stranger.keyId, '192.0.2.1', 'mine'],
  ]);
  expect(changeAuthors).toEqual([]);
  expect(deletedDomains).toMatchObject([{ id: 1, accountId: author.accountId, claim: unverified.claim }]);
  expect(createdDomains).toMatchObject([
    { id: 2, accountId: stranger.accountId, claim: { proof: 'challenge' } },
  ]);
  expect(trail).toMatchObject([
    { accountId: author.accountId, action: 'domain.displace', object: zone, actor: '', address: null },
  ]);
  expect(domainOf(batch).serial).toBeGreaterThan(unverified.serial);
});

test('a creation that is refused in the end leaves the unverified domain of the other account', () => {
  const below = { ...storedZone, id: 2, name: `www.${zone}` as ZoneName };
  const batch = openBatch({ domains: [unverified, { ...below, accountId: 'account-3' }] });
  expect(create(batch, { claim: 'challenge' }, stranger)).toMatchObject({ ok: false });
  expect([domainOf(batch), batch.finish().changes]).toEqual([unverified, []]);
});

test('a deleted domain that was unverified keeps its name from nobody', () => {
  const deleted = { ...unverified, contentHash: null, deletedAtMs: author.atMs } as DeletedDomain;
  for (const name of [zone, 'com', `a.${zone}`] as ZoneName[]) {
    const batch = openBatch({ deletedDomains: [deleted] });
    expect(create(batch, {}, stranger, name).ok).toBe(true);
  }
});

test('the four weeks of an unverified domain begin again when it is restored', () => {
  const batch = openBatch({ domains: [unverified] });
  decideAtOnce({ kind: 'deleteDomain', author, name: zone }, batch);
  const restored = decideAtOnce({ kind: 'restoreDomain', author, name: zone }, batch);
  expect(restored).toMatchObject({
    ok: true,
    value: { claim: { proof: null, sinceSeconds: nowSeconds }, withheld: ['unverified'] },
  });
});

test.each<[string, Partial<Domain>, number, boolean, Domain['withheld']]>([
  ['unverified', unverifiedSince(1), 1, true, []],
  [
    'unverified and suspended',
    { ...unverifiedSince(1), withheld: ['suspended', 'unverified'] },
    1,
    true,
    ['suspended'],
  ],
  ['open', {}, 1, false, []],
  ['another one than was seen', unverifiedSince(1), 2, false, ['unverified']],
])('a proof of a domain that is %s', (_, stored, id, settled, withheld) => {
  const batch = openBatch({ domains: [{ ...storedZone, ...stored }] });
  const command = { kind: 'settleClaim', author, domain: zone, id, proof: 'challenge' } as const;
  expect(decideAtOnce(command, batch)).toMatchObject({ ok: true, changed: settled, value: { settled } });
  expect(domainOf(batch).withheld).toEqual(withheld);
  const { changes, trail } = batch.finish();
  const isReleased = settled && withheld.length === 0;
  expect(changes.map(({ kind }) => kind)).toEqual(isReleased ? ['domainRelease'] : []);
  expect(trail.map(({ action, detail }) => [action, detail])).toEqual(
    settled ? [['domain.verify', '{"proof":"challenge"}']] : [],
  );
  if (settled) expect(domainOf(batch).claim).toEqual({ proof: 'challenge', sinceSeconds: nowSeconds });
});

test.each<[string, Partial<Domain>, number, boolean]>([
  ['unverified since then', unverifiedSince(1000), 1, true],
  ['unverified since later', unverifiedSince(1001), 1, false],
  ['verified', { claim: { proof: 'challenge', sinceSeconds: 1000 } }, 1, false],
  ['another one', unverifiedSince(1000), 2, false],
])('an expired claim of a domain that is %s', (_, stored, id, expired) => {
  const batch = openBatch({ domains: [{ ...storedZone, ...stored }] });
  const service = serviceAuthor(author.atMs);
  const command = { kind: 'expireClaim', author: service, domain: zone, id, sinceSeconds: 1000 } as const;
  expect(decideAtOnce(command, batch)).toMatchObject({ ok: true, value: { expired } });
  expect(batch.findDomain(zone) === undefined).toBe(expired);
  const { trail, changes } = batch.finish();
  expect(trail.map(({ accountId, action }) => [accountId, action])).toEqual(
    expired ? [[author.accountId, 'domain.expire']] : [],
  );
  expect(changes.map(({ kind, keyId }) => [kind, keyId])).toEqual(expired ? [['domainDelete', '']] : []);
});

test('an account is given nameservers once, and others only instead of those that were seen', () => {
  const account = { id: author.accountId, name: '', email: '', createdAtSeconds: 1 };
  const batch = openBatch({ accounts: [account] });
  const assign = (names: readonly string[], former: readonly string[] | null) =>
    decideAtOnce(
      {
        kind: 'assignNameservers',
        accountId: account.id,
        names,
        former,
        formerId: 'former x',
        mayShare: false,
      },
      batch,
    );
  expect(assign(['a', 'b'], null)).toMatchObject({ changed: true, value: { names: ['a', 'b'] } });
  expect(assign(['c', 'd'], null)).toMatchObject({ changed: false, value: { names: ['a', 'b'] } });
  expect(assign(['b', 'c'], ['a', 'b'])).toMatchObject({ changed: true, value: { names: ['b', 'c'] } });
  expect(batch.finish().changedNameservers).toEqual([
    { accountId: account.id, names: ['b', 'c'] },
    { accountId: 'former x', names: ['a', 'b'] },
  ]);
  const nobody = {
    kind: 'assignNameservers',
    accountId: 'x',
    names: ['a'],
    former: null,
    formerId: null,
    mayShare: true,
  } as const;
  expect(decideAtOnce(nobody, batch)).toMatchObject({ ok: false, refusal: { code: 'unknown_account' } });
});
