import { expect, test } from 'vitest';
import { ALL_USES, keyUse } from '../../dnssec/zone-key.ts';
import type { ParentLook } from '../parent-looks.ts';
import { dsOf, keyOf, lookOf, name, newKey, oldKey } from '../rollover/rollover-scene.test-support.ts';
import type { SignedKey, SigningState } from './signing-facts.ts';
import { describeSigning, keyStateOf } from './signing-status.ts';

const { PUBLISHED, ANNOUNCED } = keyUse;
const [oldDs, newDs, strayDs] = [dsOf(oldKey), dsOf(newKey), dsOf(keyOf(3))];
const both = lookOf({ a: [[oldDs, newDs]], b: [[oldDs, newDs]] });
const onlyOld = lookOf({ a: [[oldDs]], b: [[oldDs]] });
const onlyNew = lookOf({ a: [[newDs]], b: [[newDs]] });
const unknown: ParentLook = { kind: 'unknown', reason: 'no resolver answered' };

const own: SignedKey = { ...oldKey, origin: 'made', uses: ALL_USES, rollover: null };
const foreign: SignedKey = { ...newKey, origin: 'foreign', uses: PUBLISHED | ANNOUNCED, rollover: null };
const leaving = { ...foreign, uses: PUBLISHED };
const withdrawn = { ...own, uses: ALL_USES - ANNOUNCED };

test.each<[string, readonly SignedKey[], ParentLook, SigningState, RegExp]>([
  [
    'that leaves, and whose DS record is still there',
    [own, leaving],
    both,
    'secure',
    /^Have the DS record .* removed .*: a and b of the parent zone com still have it\. When .*, remove the key \d+ of /,
  ],
  [
    'that leaves, and whose DS record is gone',
    [own, leaving],
    onlyOld,
    'secure',
    /^When the TTL .*, remove the key /,
  ],
  [
    'to which the domain moves',
    [withdrawn, foreign],
    both,
    'moving_away',
    /^Change the nameservers .* still have it/,
  ],
  [
    'to which the domain has moved',
    [withdrawn, foreign],
    onlyNew,
    'moving_away',
    /^Once .*, delete example\.com here: /,
  ],
  [
    'without its DS record',
    [withdrawn, foreign],
    onlyOld,
    'moving_away',
    /^Enter this DS record .* do not have it, /,
  ],
  [
    'and an unknown parent zone',
    [withdrawn, foreign],
    unknown,
    'moving_away',
    /because no resolver answered\. Should /,
  ],
  [
    'and DS records of neither',
    [withdrawn, foreign],
    lookOf({ a: [[strayDs]] }),
    'bogus',
    /^Enter this DS record/,
  ],
])('%s', (_, keys, look, state, nextStep) => {
  const status = describeSigning({
    ...{ domain: 'example.com', name, isSigned: true, isWithdrawn: false, work: null, hosted: undefined },
    keys,
    look,
  });
  expect(status.state).toBe(state);
  expect(status.nextStep).toMatch(nextStep);
  const wanted = keys.filter(({ uses }) => (uses & ANNOUNCED) !== 0).map((key) => dsOf(key));
  expect(status.wanted).toEqual(wanted);
});

test('a key whose DS record has to go is retiring', () => {
  expect([own, foreign, leaving, withdrawn].map(keyStateOf)).toEqual([
    'active',
    'active',
    'retiring',
    'retiring',
  ]);
  expect(keyStateOf({ ...leaving, flags: 256 })).toBe('active');
});
