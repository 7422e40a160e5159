/** Random commands for a signed domain: names that meet and hide each other, delegations, DNAMEs, wildcards. */
import fc from 'fast-check';
import type { DomainRecord } from '../../model/record.ts';
import type { Command } from '../command.ts';
import { author, rules, zone } from '../decide-scene.test-support.ts';
import type { SignedScene } from './signed-scene.test-support.ts';

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

/** One change of records, of the whole domain, or of its signatures. */
export const randomEdit = fc.oneof(
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

export type RandomEdit = typeof randomEdit extends fc.Arbitrary<infer T> ? T : never;

/** Returns the command of an edit; places are those in the zone as it was before the batch. */
export function commandOf(change: RandomEdit, scene: SignedScene): Command {
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
