import { expect, test } from 'vitest';
import {
  firstStep,
  formatRollover,
  parseRollover,
  type Rollover,
  rolloverSteps,
  stepAfter,
} from './rollover.ts';

const rollover: Rollover = {
  id: '01932f6c-7a10-7cc3-98c4-dc0c0c07398f',
  kind: 'key',
  step: 'published',
  sinceSeconds: 1_800_000_100,
  serial: 4_294_967_295,
  untilSeconds: null,
  createdAtSeconds: 1_800_000_000,
};

test('a rollover is stored as JSON text', () => {
  expect(formatRollover(rollover)).toBe(
    '{"id":"01932f6c-7a10-7cc3-98c4-dc0c0c07398f","kind":"key","step":"published","sinceSeconds":1800000100,"serial":4294967295,"untilSeconds":null,"createdAtSeconds":1800000000}',
  );
});

test('each step of each kind is read as it was written', () => {
  const all = Object.entries(rolloverSteps).flatMap(([kind, steps]) =>
    steps.flatMap((step) => [null, 1_800_003_600].map((untilSeconds) => ({ kind, step, untilSeconds }))),
  );
  expect(all).toHaveLength(24);
  for (const members of all) {
    const written = { ...rollover, ...members } as Rollover;
    expect(parseRollover(formatRollover(written))).toEqual(written);
  }
});

test('what the owner and the watch have noted is read as it was written', () => {
  const seen = { ds: ['1 13 2 AB'], ttlSeconds: 60, atSeconds: 1_800_000_200 };
  const noted: Rollover = { ...rollover, dsTtlSeconds: 3600, isHeld: true, seen };
  expect(parseRollover(formatRollover(noted))).toEqual(noted);
});

test.each<[string, object | string | null]>([
  ['no object', null],
  ['a list', []],
  ['an unknown kind', { ...rollover, kind: 'zone' }],
  ['a kind that objects inherit', { ...rollover, kind: 'toString' }],
  ['an unknown step', { ...rollover, step: 'done' }],
  ['a step of another kind', { ...rollover, step: 'withdrawing' }],
  ['no id', { ...rollover, id: undefined }],
  ['an empty id', { ...rollover, id: '' }],
  ['no end of the wait', { ...rollover, untilSeconds: undefined }],
  ['a time in text', { ...rollover, untilSeconds: '1800003600' }],
  ['a fraction of a second', { ...rollover, sinceSeconds: 0.5 }],
  ['a time before 1970', { ...rollover, createdAtSeconds: -1 }],
  ['a serial of 33 bits', { ...rollover, serial: 2 ** 32 }],
  ['a negative TTL', { ...rollover, dsTtlSeconds: -1 }],
  ['a hold that is none', { ...rollover, isHeld: false }],
  ['DS records of nobody', { ...rollover, seen: { ds: [] } }],
  ['a DS record that is no text', { ...rollover, seen: { ds: [1], ttlSeconds: 1, atSeconds: 1 } }],
  ['a further member', { ...rollover, pausedSeconds: 0 }],
])('a text with %s is a mistake of the program', (_, value) => {
  expect(() => parseRollover(JSON.stringify(value))).toThrow(/: a rollover of unknown shape is stored: /);
});

test('a text that is no JSON is a mistake of the program', () => {
  expect(() => parseRollover('key published')).toThrow(SyntaxError);
});

test('the steps of each kind follow each other', () => {
  const all = (['key', 'shared', 'algorithm', 'withdrawal'] as const).map((kind) => {
    const steps = [firstStep(kind)];
    for (let next = stepAfter({ kind, step: steps[0] }); next; next = stepAfter({ kind, step: next }))
      steps.push(next);
    return steps.join(' ');
  });
  expect(all).toEqual([
    'published announced signed',
    'published announced signed unpublished',
    'signing published announced unpublished',
    'withdrawing',
  ]);
});
