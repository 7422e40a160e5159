import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkSignedZone } from '../../dnssec/check-signed-zone.test-support.ts';
import { decodeHashedName, decodeOwnerSignatures } from '../../model/generated-row.ts';
import { APEX, ownerDomainName } from '../../model/record-name.ts';
import type { DomainRecord } from '../../model/record.ts';
import type { Command } from '../command.ts';
import { author, rules, zone } from '../decide-scene.test-support.ts';
import { servedZone } from './served-zone.test-support.ts';
import { hashOf, SignedScene } from './signed-scene.test-support.ts';

const denials = ['nsec', 'nsec3'] as const;

/** Problems of the zone as it is stored: as a validator sees it, and compared with one that is signed as a whole. */
function problemsOf(scene: SignedScene): string[] {
  const { domain } = scene;
  if (domain === undefined) return [];
  if (domain.contentHash !== hashOf(scene.stored)) return ['the hash of the zone is wrong'];
  if (domain.denial === null) {
    return scene.stored.length === scene.customers.length ? [] : ['an unsigned zone has generated rows'];
  }
  const served = servedZone(scene.stored, zone, domain.denial);
  const problems = checkSignedZone(served, ownerDomainName(APEX, zone), scene.nowSeconds);
  if (domain.recordCount !== scene.customers.length) problems.push('the count of records is wrong');
  const whole = scene.signedAgain();
  expect(scene.stored.map(comparable)).toEqual(whole.map(comparable));
  return problems;
}

/** A row without the octets and times of its signatures. */
function comparable({ id, owner, type, ttl, rdata }: DomainRecord): unknown {
  const row = { id, owner, type, ttl };
  if (id.startsWith('~s')) {
    const signatures = decodeOwnerSignatures(rdata);
    return { ...row, status: signatures?.status, types: signatures?.signatures.map((made) => made.type) };
  }
  if (id.startsWith('~h'))
    return { ...row, hash: Buffer.from(decodeHashedName(rdata)?.hash ?? []).toString('hex') };
  return id.startsWith('~o') ? row : { ...row, rdata: Buffer.from(rdata).toString('hex') };
}

test.each(denials)('signs a whole zone with all kinds of names (%s)', (denial) => {
  const scene = new SignedScene(everyKind);
  scene.enable(denial);
  expect(problemsOf(scene)).toEqual([]);
});

const everyKind = [
  '@ NS ns1.example.net',
  '@ MX mail',
  'www A 192.0.2.1',
  'www A 192.0.2.2',
  '*.wild TXT x',
  'a.b.c.d A 192.0.2.3',
  'cut NS ns.cut',
  'ns.cut A 192.0.2.4',
  'secure NS ns1.example.net',
  `secure DS 1 13 2 ${'00'.repeat(32)}`,
  'moved DNAME elsewhere.example',
  'below.moved A 192.0.2.7',
  'alias CNAME www',
];

const names = [
  '@',
  'www',
  'a',
  'b.a',
  'c.b.a',
  'x.c.b.a',
  '*',
  '*.a',
  'cut',
  'ns.cut',
  'deep.er.cut',
  'zz',
  'y.zz',
  '\\000.a',
];
const contents = [
  'A 192.0.2.1',
  'A 192.0.2.2',
  'TXT x',
  'NS ns1.other.example',
  'NS ns2.other.example',
  `DS 1 13 2 ${'00'.repeat(32)}`,
  'DNAME target.example',
  'CNAME target.example',
];

const edit = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      name: fc.constantFrom(...names),
      content: fc.constantFrom(...contents),
      dryRun: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('remove' as const), place: fc.nat(50) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('ttl' as const),
      place: fc.nat(50),
      ttl: fc.constantFrom(60, 300, 600),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('many' as const),
      places: fc.array(fc.nat(50), { maxLength: 4 }),
      adds: fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...contents)), { maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      mode: fc.constantFrom('replace' as const, 'merge' as const),
      adds: fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...contents)), { maxLength: 8 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('delete' as const, 'restore' as const, 'soa' as const, 'renew' as const),
    }),
  },
);
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

/** The command of an edit; places are those in the zone as it was before the batch. */
function commandOf(change: Edit, scene: SignedScene): Command {
  const at = (place: number): string =>
    scene.customers.at(place % (scene.customers.length || 1))?.id ?? 'none';
  const records = (adds: readonly (readonly [string, string])[]): DomainRecord[] =>
    adds.map(([name, content]) => scene.newRecord(`${name} ${content}`));
  switch (change.kind) {
    case 'add': {
      const record = scene.newRecord(`${change.name} ${change.content}`);
      return { kind: 'createRecord', author, domain: zone, record, ...(change.dryRun && { dryRun: true }) };
    }
    case 'remove':
      return { kind: 'deleteRecord', author, domain: zone, recordId: at(change.place) };
    case 'ttl':
      return {
        kind: 'updateRecord',
        author,
        domain: zone,
        recordId: at(change.place),
        patch: { ttl: change.ttl },
        rules,
      };
    case 'many': {
      const deletes = [...new Set(change.places.map(at))];
      const changes = { deletes, updates: [], creates: records(change.adds) };
      return { kind: 'changeRecords', author, domain: zone, changes, rules };
    }
    case 'import':
      return {
        kind: 'importZone',
        author,
        domain: zone,
        records: records(change.adds),
        mode: change.mode,
        soa: null,
      };
    case 'delete':
      return { kind: 'deleteDomain', author, name: zone };
    case 'restore':
      return { kind: 'restoreDomain', author, name: zone };
    case 'soa':
      return {
        kind: 'updateDomain',
        author,
        name: zone,
        soaEmail: `host${scene.domain?.serial}@example.net`,
      };
    case 'renew':
      return { kind: 'renewSignatures', domain: zone };
  }
}

test.each(denials)('a zone stays completely and exactly signed, whatever is written to it (%s)', (denial) => {
  fc.assert(
    fc.property(fc.array(fc.array(edit, { minLength: 1, maxLength: 5 }), { maxLength: 12 }), (batches) => {
      const scene = new SignedScene();
      scene.enable(denial);
      for (const batch of batches) {
        scene.run(...batch.map((change) => commandOf(change, scene)));
        scene.nowSeconds += 6 * 3600;
        expect(problemsOf(scene)).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});

test('a domain that has been renewed is not due again, so that a repeat changes nothing', () => {
  const scene = new SignedScene();
  scene.enable('nsec');
  scene.nowSeconds += 3 * 86_400;
  scene.run({ kind: 'renewSignatures', domain: zone });
  const serial = scene.domain?.serial;
  const [again] = scene.run({ kind: 'renewSignatures', domain: zone });
  expect(again).toMatchObject({ ok: true, changed: false, value: { renewed: 0, next: null } });
  expect(scene.domain?.serial).toBe(serial);
});
