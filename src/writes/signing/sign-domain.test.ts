import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandOf, randomEdit } from './random-edits.test-support.ts';
import { problemsOf } from './zone-problems.test-support.ts';
import { SignedScene } from './signed-scene.test-support.ts';
import { zone } from '../decide-scene.test-support.ts';

const denials = ['nsec', 'nsec3'] as const;

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
