import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rrType } from '../../dns/codes.ts';
import { checkSignedZone } from '../../dnssec/check-signed-zone.test-support.ts';
import type { Rollover } from '../../dnssec/rollover.ts';
import type { MadeAlgorithm } from '../../dnssec/zone-key.ts';
import { APEX, ownerDomainName } from '../../model/record-name.ts';
import { author, zone } from '../decide-scene.test-support.ts';
import { commandOf, randomEdit } from './random-edits.test-support.ts';
import { servedZone } from './served-zone.test-support.ts';
import { newZoneKey, SignedScene } from './signed-scene.test-support.ts';

/* While a key is exchanged, a zone has the signatures of one key or of two, and changes as always. */

const denials = ['nsec', 'nsec3'] as const;

/** The first key of a scene has algorithm 15. */
const algorithms: readonly MadeAlgorithm[] = [13, 15];

function problemsOf({ domain, stored, nowSeconds, zoneKeys }: SignedScene): string[] {
  if (domain === undefined || domain.denial === null) return [];
  const dnskeys = zoneKeys.map(({ dnskey }) => dnskey);
  const served = servedZone(stored, zone, domain.denial);
  return checkSignedZone(served, ownerDomainName(APEX, zone), nowSeconds, dnskeys);
}

function start(scene: SignedScene, algorithm: MadeAlgorithm): void {
  const key = newZoneKey(algorithm);
  scene.run({ kind: 'startRollover', author, domain: zone, id: key.id, key });
}

function rolloverOf(scene: SignedScene): Rollover | undefined {
  return scene.zoneKeys.find(({ rollover }) => rollover !== null)?.rollover ?? undefined;
}

test.each(denials)('a name that keeps one of two sets has a new proof, also with two keys (%s)', (denial) => {
  const scene = new SignedScene(['@ NS ns1.example.net', 'www A 192.0.2.1', 'www TXT x']);
  scene.enable(denial);
  start(scene, 13);
  expect(rolloverOf(scene)?.step).toBe('signing');
  scene.remove(scene.find('www', rrType.TXT));
  expect(problemsOf(scene)).toEqual([]);
});

test.each(denials)(
  'a zone stays completely signed at each step, whatever is written to it (%s)',
  (denial) => {
    const batches = fc.array(fc.array(randomEdit, { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 3,
    });
    const script = fc.record({
      algorithm: fc.constantFrom(...algorithms),
      steps: fc.array(batches, { maxLength: 5 }),
    });
    fc.assert(
      fc.property(script, ({ algorithm, steps }) => {
        const scene = new SignedScene([
          '@ NS ns1.example.net',
          'www A 192.0.2.1',
          'www TXT x',
          'a.b MX mail',
        ]);
        scene.enable(denial);
        start(scene, algorithm);
        for (const step of steps) {
          for (const batch of step) {
            scene.run(...batch.map((change) => commandOf(change, scene)));
            scene.nowSeconds += 6 * 3600;
            expect(problemsOf(scene)).toEqual([]);
          }
          const rollover = rolloverOf(scene);
          if (rollover !== undefined)
            scene.run({
              kind: 'moveRollover',
              domain: zone,
              id: rollover.id,
              step: rollover.step,
              to: 'next',
            });
          expect(problemsOf(scene)).toEqual([]);
        }
      }),
      { numRuns: 40 },
    );
  },
);
