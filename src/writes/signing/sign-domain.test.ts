import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkSignedZone } from '../../dnssec/check-signed-zone.test-support.ts';
import { decodeHashedName, decodeOwnerSignatures } from '../../model/generated-row.ts';
import { APEX, ownerDomainName } from '../../model/record-name.ts';
import type { DomainRecord } from '../../model/record.ts';
import { zone } from '../decide-scene.test-support.ts';
import { commandOf, randomEdit } from './random-edits.test-support.ts';
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

test.each(denials)('a zone stays completely and exactly signed, whatever is written to it (%s)', (denial) => {
  fc.assert(
    fc.property(
      fc.array(fc.array(randomEdit, { minLength: 1, maxLength: 5 }), { maxLength: 12 }),
      (batches) => {
        const scene = new SignedScene();
        scene.enable(denial);
        for (const batch of batches) {
          scene.run(...batch.map((change) => commandOf(change, scene)));
          scene.nowSeconds += 6 * 3600;
          expect(problemsOf(scene)).toEqual([]);
        }
      },
    ),
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
