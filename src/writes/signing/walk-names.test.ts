import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assert } from '../../base/assert.ts';
import { rrType } from '../../dns/codes.ts';
import type { Denial } from '../../dns/proven-types.ts';
import { checkSignedZone } from '../../dnssec/check-signed-zone.test-support.ts';
import {
  decodeOwnerSignatures,
  encodeOwnerSignatures,
  generatedType,
  isGeneratedId,
  WORK_ID,
} from '../../model/generated-row.ts';
import { APEX, ownerDomainName } from '../../model/record-name.ts';
import type { DomainRecord } from '../../model/record.ts';
import type { Command } from '../command.ts';
import { author, zone } from '../decide-scene.test-support.ts';
import { servedZone } from './served-zone.test-support.ts';
import { commandOf, randomEdit, type RandomEdit } from './random-edits.test-support.ts';
import { problemsOf } from './zone-problems.test-support.ts';
import { newZoneKey, SignedScene } from './signed-scene.test-support.ts';

const lines = [
  '@ NS ns1.example.net',
  'www A 192.0.2.1',
  'a A 192.0.2.1',
  'c.b.a TXT x',
  'x.c.b.a TXT x',
  '*.a TXT x',
  'cut NS ns.cut',
  'ns.cut A 192.0.2.4',
  'deep.er.cut A 192.0.2.4',
  'y.zz DNAME elsewhere.example',
  'below.y.zz A 192.0.2.7',
  'zzz CNAME www',
];

/** The rows as an image of that kind of chain takes them. */
function imageRows(stored: readonly DomainRecord[], denial: Denial): DomainRecord[] {
  return stored.flatMap((row) => {
    if (row.type === generatedType.unfinished) return [];
    if (row.type === generatedType.hashedName) return denial === 'nsec3' ? [row] : [];
    if (row.type !== generatedType.signatures || denial === 'nsec') return [row];
    const signed = decodeOwnerSignatures(row.rdata);
    assert(signed !== undefined, 'a row of signatures is well-formed');
    const signatures = signed.signatures.filter(({ type }) => type !== rrType.NSEC);
    return [{ ...row, rdata: encodeOwnerSignatures(signed.status, signatures) }];
  });
}

/** DNSKEY RDATA of all keys of all scenes, by id. */
const allKeys = new Map<string, Uint8Array>();

/** Problems of the zone as it is served while slices are taken. */
function servedProblems(scene: SignedScene): string[] {
  const { domain, stored, nowSeconds } = scene;
  if (domain === undefined) return [];
  const rows = stored.filter(
    ({ owner, id }) => isGeneratedId(id) && (owner === APEX || id === '~o') && id !== WORK_ID,
  );
  if (domain.denial === null)
    return rows.length === 0 ? [] : ['the apex of an unsigned zone has generated rows'];
  const served = servedZone(imageRows(stored, domain.denial), zone, domain.denial);
  // Signatures of keys that are not published yet, or no longer, do no harm.
  for (const { id, dnskey } of scene.zoneKeys) allKeys.set(id, dnskey);
  const published = new Set(
    scene.stored.filter(({ type }) => type === rrType.DNSKEY).map(({ rdata }) => rdata.join()),
  );
  const unpublished = [...allKeys.values()].filter((dnskey) => !published.has(dnskey.join()));
  return checkSignedZone(served, ownerDomainName(APEX, zone), nowSeconds, unpublished);
}

const denials = ['nsec', 'nsec3'] as const;
const other = { nsec: 'nsec3', nsec3: 'nsec' } as const;

const disable: Command = {
  kind: 'updateDomain',
  author,
  name: zone,
  dnsSec: { wanted: 'disabled', force: true, id: 'withdrawal' },
};

/** Each kind of work, and how it begins in a domain that is signed already, or not yet. */
const works = [
  { name: 'signed', begin: (scene: SignedScene, denial: Denial) => scene.enable(denial) },
  {
    name: 'given the other chain',
    begin: (scene: SignedScene, denial: Denial) => {
      scene.enable(other[denial]);
      scene.limit(2, 3);
      scene.run({ kind: 'changeDenial', author, domain: zone, denial });
    },
  },
  {
    name: 'signed with another algorithm',
    begin: (scene: SignedScene, denial: Denial) => {
      scene.enable(denial);
      scene.limit(2, 3);
      const key = newZoneKey(13);
      scene.run({ kind: 'startRollover', author, domain: zone, id: 'rollover', key });
    },
  },
  {
    name: 'signed with another key',
    begin: (scene: SignedScene, denial: Denial) => {
      scene.enable(denial);
      scene.run({ kind: 'startRollover', author, domain: zone, id: 'rollover', key: newZoneKey(15) });
      scene.limit(2, 3);
      for (const step of ['published', 'announced'] as const)
        scene.run({ kind: 'moveRollover', domain: zone, id: 'rollover', step, to: 'next' });
    },
  },
  {
    name: 'no longer signed',
    begin: (scene: SignedScene, denial: Denial) => {
      scene.enable(denial);
      scene.limit(2, 3);
      scene.run(disable);
    },
  },
] as const;

const cases = works.flatMap((work) => denials.map((denial) => [work.name, denial, work.begin] as const));

/** Begins a kind of work whose slices have three names. */
function beginWork(begin: (scene: SignedScene, denial: Denial) => void, denial: Denial): SignedScene {
  const scene = new SignedScene(lines);
  if (begin === works[0].begin) scene.limit(2, 3);
  begin(scene, denial);
  assert(scene.domain?.signingWork !== null, 'work is left');
  return scene;
}

test.each(cases)('a domain is %s in slices (%s)', (_, denial, begin) => {
  const scene = beginWork(begin, denial);
  let slices = 0;
  do expect(servedProblems(scene)).toEqual([]);
  while (slices++ < 100 && scene.takeSlice());
  expect(slices).toBeGreaterThan(1);
  expect(problemsOf(withoutRollover(scene))).toEqual([]);
});

/** Completes a rollover, so that the zone can be compared with one that is signed with one key. */
function withoutRollover(scene: SignedScene): SignedScene {
  for (let moves = 0; moves < 10; moves++) {
    const rollover = scene.zoneKeys.find((key) => key.rollover !== null)?.rollover ?? null;
    if (rollover === null) break;
    const { id, step } = rollover;
    scene.run({ kind: 'moveRollover', domain: zone, id, step, to: 'next' });
    while (scene.takeSlice()) expect(servedProblems(scene)).toEqual([]);
  }
  return scene;
}

test.each(cases)('a domain that is %s in slices takes every write meanwhile (%s)', (_, denial, begin) => {
  fc.assert(
    fc.property(fc.array(fc.array(randomEdit, { maxLength: 4 }), { maxLength: 14 }), (batches) => {
      const scene = beginWork(begin, denial);
      for (const batch of batches) {
        scene.run(...batch.map((change: RandomEdit) => commandOf(change, scene)));
        expect(servedProblems(scene)).toEqual([]);
        scene.takeSlice();
        scene.nowSeconds += 6 * 3600;
        expect(servedProblems(scene)).toEqual([]);
      }
      if (scene.domain === undefined) scene.run({ kind: 'restoreDomain', author, name: zone });
      while (scene.takeSlice()) expect(servedProblems(scene)).toEqual([]);
      expect(problemsOf(withoutRollover(scene))).toEqual([]);
    }),
    { numRuns: 10 },
  );
});

test.each(denials)('a slice and writes to both sides of it can be in one batch (%s)', (denial) => {
  fc.assert(
    fc.property(fc.array(fc.array(randomEdit, { maxLength: 3 }), { maxLength: 10 }), (batches) => {
      const scene = beginWork(works[0].begin, denial);
      for (const batch of batches) {
        const work = scene.domain?.signingWork ?? null;
        const commands = batch.map((change: RandomEdit) => commandOf(change, scene));
        const slice = work === null ? [] : [{ kind: 'signSlice', domain: zone, work } as const];
        scene.run(...commands.slice(1), ...slice, ...commands.slice(0, 1));
        expect(servedProblems(scene)).toEqual([]);
      }
      if (scene.domain === undefined) scene.run({ kind: 'restoreDomain', author, name: zone });
      while (scene.takeSlice());
      expect(problemsOf(scene)).toEqual([]);
    }),
    { numRuns: 20 },
  );
});
