import { expect, test } from 'vitest';
import type { OwnerSeen, Rollover } from '../dnssec/rollover.ts';
import type { Command } from './command.ts';
import { author, zone } from './decide-scene.test-support.ts';
import { newZoneKey, SignedScene } from './signing/signed-scene.test-support.ts';

const hold = (isHeld: boolean): Command => ({ kind: 'holdRollover', author, domain: zone, isHeld });
const seen: OwnerSeen = { ds: [], ttlSeconds: 3600, atSeconds: 1_800_000_000 };
const conflict = { ok: false, refusal: { code: 'dnssec_conflict' } };

function rolling(): SignedScene {
  const scene = new SignedScene(['www A 192.0.2.1']);
  scene.enable('nsec');
  scene.run({ kind: 'startRollover', author, domain: zone, id: 'rollover', key: newZoneKey() });
  return scene;
}

function noteOf({ zoneKeys }: SignedScene): Rollover | null | undefined {
  return zoneKeys.find(({ rollover }) => rollover !== null)?.rollover;
}

test('a rollover that is held goes on only when it is released', () => {
  const scene = rolling();
  expect(scene.run(hold(true))).toMatchObject([{ ok: true, changed: true }]);
  expect(scene.run(hold(true))).toMatchObject([{ ok: true, changed: false }]);
  expect(noteOf(scene)).toMatchObject({ step: 'published', isHeld: true });
  const move = { kind: 'moveRollover', domain: zone, id: 'rollover', step: 'published' } as const;
  for (const to of ['next', { untilSeconds: 1 }] as const) {
    expect(scene.run({ ...move, to })).toMatchObject([{ ok: true, changed: false, value: { moved: false } }]);
  }
  expect(scene.run(hold(false))).toMatchObject([{ ok: true, changed: true }]);
  expect(scene.run({ ...move, to: 'next' })).toMatchObject([{ ok: true, value: { moved: true } }]);
  expect(noteOf(scene)).toMatchObject({ step: 'announced', untilSeconds: null });
  expect(noteOf(scene)?.isHeld).toBeUndefined();
});

test('a rollover that is held can be cancelled', () => {
  const scene = rolling();
  scene.run(hold(true));
  expect(scene.run({ kind: 'cancelRollover', author, domain: zone, id: 'rollover' })).toMatchObject([
    { ok: true },
  ]);
  expect(scene.zoneKeys).toMatchObject([{ uses: 15, rollover: null }]);
});

test('without a rollover, nothing can be held', () => {
  const scene = new SignedScene(['www A 192.0.2.1']);
  expect(scene.run(hold(true))).toMatchObject([conflict]);
  scene.enable('nsec');
  expect(scene.run(hold(true))).toMatchObject([conflict]);
  expect(scene.run(hold(false))).toMatchObject([{ ok: true, changed: false }]);
});

test("the owner's word is noted for the step that it is about, and forgotten with it", () => {
  const scene = rolling();
  const note = { kind: 'noteDsSeen', author, domain: zone, id: 'rollover', seen } as const;
  expect(scene.run({ ...note, step: 'announced' })).toMatchObject([conflict]);
  expect(scene.run({ ...note, id: 'other', step: 'published' })).toMatchObject([conflict]);
  const move = { kind: 'moveRollover', domain: zone, id: 'rollover', to: 'next' } as const;
  scene.run({ ...move, step: 'published' });
  expect(scene.run({ ...note, step: 'announced' })).toMatchObject([{ ok: true, changed: true }]);
  expect(noteOf(scene)).toMatchObject({ step: 'announced', seen });
  scene.run({ ...move, step: 'announced' });
  expect(noteOf(scene)?.step).toBe('signed');
  expect(noteOf(scene)?.seen).toBeUndefined();
});
