import { expect, test } from 'vitest';
import { assert } from '../base/assert.ts';
import { rrType } from '../dns/codes.ts';
import { checkSignedZone } from '../dnssec/check-signed-zone.test-support.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import type { Command } from './command.ts';
import { author, record, rules, zone } from './decide-scene.test-support.ts';
import { revisionOf } from './revision.ts';
import { servedZone } from './signing/served-zone.test-support.ts';
import { newZoneKey, SignedScene, START_SECONDS } from './signing/signed-scene.test-support.ts';

const DAY_SECONDS = 86_400;
const one = 'www A 192.0.2.1';

function dnsSec(wanted: 'nsec' | 'nsec3' | 'off' | 'force'): Command {
  if (wanted === 'off' || wanted === 'force') {
    const off = { wanted: 'disabled', force: wanted === 'force', id: 'withdrawal' } as const;
    return { kind: 'updateDomain', author, name: zone, dnsSec: off };
  }
  const on = { wanted: 'enabled', denial: wanted, key: newZoneKey() } as const;
  return { kind: 'updateDomain', author, name: zone, dnsSec: on };
}

type Seen = Pick<SignedScene, 'stored' | 'domain' | 'nowSeconds'>;

function problemsOf({ stored, domain, nowSeconds }: Readonly<Seen>): string[] {
  if (domain === undefined || domain.denial === null) return ['the domain is not signed'];
  const served = servedZone(stored, zone, domain.denial);
  return checkSignedZone(served, ownerDomainName(APEX, zone), nowSeconds);
}

test('signing is switched on once, with the first key', () => {
  const scene = new SignedScene();
  expect(scene.run(dnsSec('nsec'))).toMatchObject([{ ok: true, changed: true }]);
  const before = scene.stored;
  expect(scene.run(dnsSec('nsec3'))).toMatchObject([{ ok: true, changed: false }]);
  expect(scene.stored).toEqual(before);
  expect(scene.zoneKeys).toHaveLength(1);
  expect(problemsOf(scene)).toEqual([]);
});

test('signing is switched off at once by force, and takes everything that it made with it', () => {
  const scene = new SignedScene(['@ NS ns1.example.net', one]);
  const unsigned = scene.stored;
  scene.enable('nsec3');
  expect(scene.run(dnsSec('force'))).toMatchObject([{ ok: true, changed: true }]);
  expect(scene.stored).toEqual(unsigned);
  expect(scene.zoneKeys).toEqual([]);
  expect(scene.domain).toMatchObject({ denial: null, renewAtSeconds: null });
  expect(scene.run(dnsSec('off'))).toMatchObject([{ ok: true, changed: false }]);
});

test('a domain that is signed again in one batch has only the new key', () => {
  const scene = new SignedScene();
  scene.enable('nsec');
  const [former] = scene.zoneKeys;
  scene.runBatch([dnsSec('force'), dnsSec('nsec')]);
  expect(scene.zoneKeys).toHaveLength(1);
  expect(scene.zoneKeys).not.toContain(former);
  expect(problemsOf(scene)).toEqual([]);
});

test('a domain can be created signed, and is served with the nameservers of the service if it has none', () => {
  const scene = new SignedScene();
  scene.run({ kind: 'deleteDomain', author, name: zone });
  const on = { wanted: 'enabled', denial: 'nsec', key: newZoneKey() } as const;
  const create = { kind: 'createDomain', author, name: zone, address: null, nameservers: [] } as const;
  expect(scene.run({ ...create, dnsSec: on })).toMatchObject([{ ok: true }]);
  expect(problemsOf(scene)).toEqual([]);
  expect(scene.stored.filter(({ type }) => type === rrType.NS)).toHaveLength(2);
  expect(scene.run({ ...create, dnsSec: on })).toMatchObject([{ ok: true, changed: false }]);
  scene.create('@ NS ns.example.org');
  expect(problemsOf(scene)).toEqual([]);
  expect(scene.stored.filter(({ type }) => type === rrType.NS)).toHaveLength(1);
});

test('creating a domain signed that exists unsigned is refused', () => {
  const on = { wanted: 'enabled', denial: 'nsec', key: newZoneKey() } as const;
  const create = {
    kind: 'createDomain',
    author,
    name: zone,
    address: null,
    nameservers: [],
    dnsSec: on,
  } as const;
  expect(new SignedScene().run(create)).toMatchObject([
    { ok: false, refusal: { code: 'domain_exists', field: 'dns_sec' } },
  ]);
});

test('a domain with keys of its own is not signed', () => {
  const scene = new SignedScene(['@ CDNSKEY 257 3 13 AAAA']);
  expect(scene.run(dnsSec('nsec'))).toMatchObject([{ ok: false, refusal: { code: 'record_conflict' } }]);
});

/** A scene in which more than three names are signed in slices of two. */
function largeScene(...lines: readonly string[]): SignedScene {
  const scene = new SignedScene(['@ NS ns1.example.net', 'a A 192.0.2.1', 'b A 192.0.2.1', ...lines]);
  scene.limit(3, 2);
  return scene;
}

test('a domain of many names, empty non-terminals counted for NSEC3, is signed later', () => {
  const deep = '1.2.3.4.5 A 192.0.2.1';
  const scene = new SignedScene([deep]);
  scene.limit(3, 2);
  expect(scene.run(dnsSec('nsec'))).toMatchObject([{ ok: true }]);
  expect(scene.domain).toMatchObject({ denial: 'nsec', signingWork: null });
  const hashed = new SignedScene([deep]);
  hashed.limit(3, 2);
  const before = hashed.stored;
  expect(hashed.run(dnsSec('nsec3'))).toMatchObject([{ ok: true, changed: true }]);
  expect(hashed.domain).toMatchObject({
    denial: null,
    renewAtSeconds: null,
    signingWork: { kind: 'sign', walk: 'owners', denial: 'nsec3' },
  });
  expect(hashed.customers).toEqual(before);
  expect(hashed.zoneKeys).toHaveLength(1);
});

test('while a domain is signed in slices, it can be switched off, and on again when all is removed', () => {
  const scene = largeScene('c A 192.0.2.1');
  scene.enable('nsec');
  expect(scene.run(dnsSec('nsec'))).toMatchObject([{ ok: true, changed: false }]);
  while (scene.domain?.signingWork?.walk === 'owners') scene.takeSlice();
  const off = { wanted: 'disabled', force: false, id: 'w' } as const;
  const disable = { kind: 'updateDomain', author, name: zone, dnsSec: off } as const;
  expect(scene.run(disable, disable)).toMatchObject([{ changed: true }, { changed: false }]);
  expect(scene.domain).toMatchObject({ denial: null, signingWork: { kind: 'remove' } });
  expect(scene.zoneKeys).toEqual([]);
  expect(scene.run(dnsSec('nsec'))).toMatchObject([{ ok: false, refusal: { code: 'dnssec_conflict' } }]);
  while (scene.takeSlice());
  expect(scene.stored).toEqual(scene.customers);
  expect(scene.run(dnsSec('nsec'))).toMatchObject([{ ok: true, changed: true }]);
});

test('a name that cannot be signed holds the slices up until it is changed', () => {
  const scene = largeScene('*.c NS ns1.example.net', 'd A 192.0.2.1');
  scene.enable('nsec');
  for (let slices = 0; slices < 20 && scene.domain?.signingWork?.problem === null; slices++)
    scene.takeSlice();
  const held = scene.domain;
  expect(held?.signingWork?.problem).toContain('No NS record can exist at a wildcard');
  const work = held?.signingWork;
  assert(work !== null && work !== undefined, 'work is left');
  scene.run({ kind: 'signSlice', domain: zone, work });
  expect(scene.domain).toEqual(held);
  scene.remove(scene.find('*.c', rrType.NS));
  while (scene.takeSlice());
  expect(scene.domain).toMatchObject({ denial: 'nsec', signingWork: null });
});

test('no alias of a whole domain comes or goes while some of its names are signed', () => {
  const scene = largeScene('c A 192.0.2.1');
  scene.enable('nsec');
  expect(scene.create('@ DNAME elsewhere.example')).toMatchObject([
    { ok: false, refusal: { code: 'dnssec_conflict' } },
  ]);
});

test('without keys, a signed domain is not written to, but can be switched off or deleted', () => {
  const scene = new SignedScene();
  const off = { ok: false, refusal: { code: 'dnssec_unavailable' } };
  scene.signing = undefined;
  expect(scene.run(dnsSec('nsec'))).toMatchObject([off]);
  expect(scene.create(one)).toMatchObject([{ ok: true }]);
  scene.signing = new SignedScene().signing;
  scene.enable('nsec');
  scene.signing = undefined;
  const renewal = { kind: 'renewSignatures', domain: zone } as const;
  const remove = { kind: 'deleteDomain', author, name: zone } as const;
  const restore = { kind: 'restoreDomain', author, name: zone } as const;
  expect(scene.create('other A 192.0.2.1')).toMatchObject([off]);
  expect(scene.run(renewal, remove, restore)).toMatchObject([off, { ok: true }, off]);
  scene.signing = new SignedScene().signing;
  expect(scene.run(restore)).toMatchObject([{ ok: true }]);
  expect(problemsOf(scene)).toEqual([]);
  scene.signing = undefined;
  expect(scene.run(dnsSec('force'))).toMatchObject([{ ok: true }]);
  expect(scene.create('other A 192.0.2.1')).toMatchObject([{ ok: true }]);
});

test('while the clock is wrong, nothing is signed, and signing can still be switched off by force', () => {
  const scene = new SignedScene();
  const { signing } = scene;
  assert(signing !== undefined, 'the scene can sign');
  const clockFault = 'is 48 hours behind that of the database';
  const message = `The clock of this service ${clockFault}: nothing can be signed in domain "${zone}" until it is right`;
  const off = { ok: false, refusal: { code: 'dnssec_unavailable', message } };
  scene.signing = { ...signing, clockFault };
  expect(scene.run(dnsSec('nsec'))).toMatchObject([off]);
  expect(scene.create(one)).toMatchObject([{ ok: true }]);
  scene.signing = signing;
  scene.enable('nsec');
  const before = scene.stored;
  scene.signing = { ...signing, clockFault };
  // A command that changes nothing needs no signature.
  expect(scene.create('other A 192.0.2.1', one)).toMatchObject([off, { ok: true, changed: false }]);
  expect(scene.run(dnsSec('off'))).toMatchObject([off]);
  expect(scene.stored).toEqual(before);
  expect(problemsOf(scene)).toEqual([]);
  expect(scene.run(dnsSec('force'))).toMatchObject([{ ok: true }]);
  expect(scene.create('other A 192.0.2.1')).toMatchObject([{ ok: true }]);
});

test('types that the service makes itself are refused at the apex of a signed domain only', () => {
  const scene = new SignedScene();
  scene.enable('nsec');
  expect(scene.create('@ CDNSKEY 257 3 13 AAAA', 'www CDNSKEY 257 3 13 AAAA')).toMatchObject([
    { ok: false, refusal: { code: 'record_conflict' } },
    { ok: true },
  ]);
  expect(problemsOf(scene)).toEqual([]);
});

test('a delegation above too many names is refused, unless the write removes them', () => {
  const scene = new SignedScene();
  scene.enable('nsec');
  const records = Array.from({ length: 2001 }, (_, at) => scene.newRecord(`n${at}.deep A 192.0.2.1`));
  const fill = { kind: 'importZone', author, domain: zone, records, mode: 'merge', soa: null } as const;
  expect(scene.run(fill)).toMatchObject([{ ok: true }]);
  const before = scene.stored;
  for (const above of ['deep NS ns.example.net', 'deep DNAME example.net', '@ DNAME example.net']) {
    expect(scene.create(above)).toMatchObject([{ ok: false, refusal: { code: 'invalid_request' } }]);
  }
  expect(scene.stored).toEqual(before);
  const [first] = records;
  const creates = [scene.newRecord('deep NS ns.example.net')];
  const changes = { deletes: [first.id], updates: [], creates };
  expect(scene.run({ kind: 'changeRecords', author, domain: zone, changes, rules })).toMatchObject([
    { ok: true },
  ]);
  expect(scene.stored.filter(({ id, rdata }) => id.startsWith('~s!deep!') && rdata.length > 1)).toEqual([]);
  expect(scene.remove(scene.find('deep', rrType.NS))).toMatchObject([{ ok: true }]);
  expect(scene.stored.filter(({ id, rdata }) => id.startsWith('~s!deep!') && rdata.length > 1)).toHaveLength(
    2000,
  );
});

test('a dry run in a signed domain shows the changes of the customer', () => {
  const scene = new SignedScene();
  scene.enable('nsec');
  const before = scene.stored;
  const www = record('new', one);
  const command = { kind: 'createRecord', author, domain: zone, record: www, dryRun: true } as const;
  expect(scene.run(command)).toMatchObject([{ difference: { created: [www], updated: [], deleted: [] } }]);
  const enabling = { ...dnsSec('nsec'), dryRun: true } as Command;
  const [result] = new SignedScene().run(enabling);
  expect(result).toMatchObject({ changed: true, difference: { created: [], updated: [], deleted: [] } });
  expect(result).not.toHaveProperty('difference.soa');
  expect(scene.stored).toEqual(before);
});

test.each(['nsec', 'nsec3'] as const)(
  'renewal replaces only what ends soon, and no revision (%s)',
  (denial) => {
    const scene = new SignedScene(['@ NS ns1.example.net', 'a.b A 192.0.2.1']);
    scene.enable(denial);
    const { renewAtSeconds, serial } = scene.domain ?? { renewAtSeconds: null, serial: 0 };
    expect(renewAtSeconds).toBeGreaterThan(START_SECONDS + DAY_SECONDS - 1);
    const renewal = { kind: 'renewSignatures', domain: zone } as const;
    const soon = scene.stored;
    const revision = scene.domain && revisionOf(scene.domain);
    expect(scene.run(renewal)).toMatchObject([{ ok: true, value: { renewed: 0, next: null } }]);
    expect(scene.stored.filter(({ id }) => id !== '~o')).toEqual(soon.filter(({ id }) => id !== '~o'));
    scene.nowSeconds += 4 * DAY_SECONDS;
    scene.create('new A 192.0.2.1');
    scene.nowSeconds += DAY_SECONDS;
    const { writes } = scene.runBatch([renewal]);
    expect(writes.changes.every(({ record: row }) => row?.id.startsWith('~'))).toBe(true);
    expect(writes.usageSteps).toEqual([]);
    const late = START_SECONDS + 21 * DAY_SECONDS;
    expect(problemsOf({ stored: scene.stored, domain: scene.domain, nowSeconds: late })).toEqual([]);
    expect(scene.domain?.serial).toBe(serial + 2);
    expect(scene.domain && revisionOf(scene.domain)).toBe(
      revision?.replace(/-.*/, `-${(serial + 1).toString(16)}"`),
    );
  },
);

test('a large renewal goes on where it ended', () => {
  const scene = new SignedScene();
  scene.enable('nsec');
  const records = Array.from({ length: 1500 }, (_, at) => scene.newRecord(`n${at} A 192.0.2.1`));
  scene.run({ kind: 'importZone', author, domain: zone, records, mode: 'merge', soa: null });
  scene.nowSeconds += 10 * DAY_SECONDS;
  const [first] = scene.run({ kind: 'renewSignatures', domain: zone });
  expect(first).toMatchObject({ value: { renewed: 1000 } });
  const { next } = (first as { value: { next: string } }).value;
  const second = scene.run({ kind: 'renewSignatures', domain: zone, from: next });
  expect(second).toMatchObject([{ value: { renewed: 501, next: null } }]);
});

test('a domain that was deleted for long is restored with valid signatures', () => {
  const scene = new SignedScene(['@ NS ns1.example.net', one]);
  scene.enable('nsec3');
  const [key] = scene.zoneKeys;
  scene.run({ kind: 'deleteDomain', author, name: zone });
  scene.nowSeconds += 25 * DAY_SECONDS;
  scene.run({ kind: 'restoreDomain', author, name: zone });
  expect(problemsOf(scene)).toEqual([]);
  expect(scene.zoneKeys).toEqual([key]);
});

test('a domain that was just written to is deleted signed, and can be restored', () => {
  const scene = new SignedScene();
  scene.enable('nsec');
  const www = scene.newRecord(one);
  scene.run(
    { kind: 'createRecord', author, domain: zone, record: www },
    { kind: 'deleteDomain', author, name: zone },
    { kind: 'restoreDomain', author, name: zone },
  );
  expect(scene.customers).toContainEqual(www);
  expect(problemsOf(scene)).toEqual([]);
});

test('a write that would have thousands of sets below a delegation signed again is refused', () => {
  const cut = 'cut NS ns1.example.net';
  const scene = new SignedScene(['@ NS ns1.example.net', cut]);
  scene.enable('nsec');
  const types = Array.from({ length: 400 }, (_, number) => 1000 + number);
  const lines = Array.from('abcdefghijkl').flatMap((name) =>
    types.map((type) => `${name}.cut TYPE${type} \\# 1 00`),
  );
  const creates = lines.map((line) => scene.newRecord(line));
  const changes = { creates, updates: [], deletes: [] };
  scene.run({ kind: 'changeRecords', author, domain: zone, changes, rules });
  const before = scene.stored;
  expect(scene.remove(scene.find('cut', rrType.NS))).toMatchObject([
    {
      ok: false,
      refusal: {
        code: 'invalid_request',
        message: expect.stringContaining('4000 sets of records below "cut.example.com"') as string,
      },
    },
  ]);
  expect(scene.stored).toEqual(before);
});

test('a renewal ends after some thousand signatures, however few names have them', () => {
  const scene = new SignedScene();
  scene.enable('nsec');
  const names = Array.from('abcdefghij');
  const types = Array.from({ length: 375 }, (_, number) => 1000 + number);
  const lines = names.flatMap((name) => types.map((type) => `${name} TYPE${type} \\# 1 00`));
  scene.create(...lines);
  scene.nowSeconds += 10 * DAY_SECONDS;
  const [first] = scene.run({ kind: 'renewSignatures', domain: zone });
  expect(first).toMatchObject({ ok: true, value: { renewed: 9, next: '~s!i' } });
});

test.each(['nsec', 'nsec3'] as const)('no command reaches generated rows by their ids (%s)', (denial) => {
  const scene = new SignedScene(['@ NS ns1.example.net', one]);
  scene.enable(denial);
  const before = scene.stored;
  const patch = { data: '192.0.2.9' };
  const ids = before.map(({ id }) => id).filter((id) => id.startsWith('~'));
  expect(ids.length).toBeGreaterThan(5);
  const commands = ids.flatMap((id): Command[] => [
    { kind: 'deleteRecord', author, domain: zone, recordId: id },
    { kind: 'updateRecord', author, domain: zone, recordId: id, patch, rules },
    {
      kind: 'changeRecords',
      author,
      domain: zone,
      rules,
      changes: { deletes: [id], updates: [{ id, patch }], creates: [] },
    },
  ]);
  for (const command of commands)
    expect(scene.run(command)).toMatchObject([{ ok: false, refusal: { code: 'unknown_record' } }]);
  expect(scene.stored).toEqual(before);
});

test('a signed domain has no NS record at a wildcard, and none is signed that has one', () => {
  const scene = new SignedScene(['@ NS ns1.example.net']);
  scene.enable('nsec');
  expect(scene.create('*.sub NS ns1.example.net')).toMatchObject([
    { ok: false, refusal: { code: 'record_conflict' } },
  ]);
  const other = new SignedScene(['@ NS ns1.example.net', '* NS ns1.example.net']);
  expect(other.run(dnsSec('nsec'))).toMatchObject([{ ok: false, refusal: { code: 'record_conflict' } }]);
  expect(other.domain?.denial).toBe(null);
});

test('a domain with a name of too many types is not signed', () => {
  const types = Array.from({ length: 401 }, (_, index) => `many TYPE${2000 + index} \\# 1 00`);
  const scene = new SignedScene(['@ NS ns1.example.net', ...types]);
  expect(scene.run(dnsSec('nsec'))).toMatchObject([{ ok: false, refusal: { code: 'invalid_request' } }]);
});
