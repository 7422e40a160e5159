import { expect, test } from 'vitest';
import type { KeySets } from '../../dns-client/ask-key-sets.ts';
import { rolloverSteps, type Rollover, type RolloverKind, type RolloverStep } from '../../dnssec/rollover.ts';
import {
  asksKeySets,
  asksParent,
  MAX_SEEN_TTL_SECONDS,
  nextAction,
  UNSEEN_DS_TTL_SECONDS,
  type RolloverFacts,
  type RolloverTtls,
} from './next-action.ts';
import { showKey } from './key-set-obstacles.ts';
import type { Obstacle, SerialLook } from './obstacles.ts';
import { dsOf, keySetsOf, lookOf, name, newKey, oldKey, silence } from './rollover-scene.test-support.ts';

const NOW_SECONDS = 1_800_000_000;

const ttl: RolloverTtls = { keys: 300, longest: 7200, ds: null };

function rolloverIn(kind: RolloverKind, step: RolloverStep, untilSeconds: number | null): Rollover {
  const sinceSeconds = NOW_SECONDS - 1000;
  const id = '01932f6c-7a10-7cc3-98c4-dc0c0c07398f';
  return { id, kind, step, sinceSeconds, serial: 7, untilSeconds, createdAtSeconds: sinceSeconds };
}

/** Two nameservers of the domain; `null`: no answer. */
function serialsOf(first: number | null, second: number | null): SerialLook {
  const servers = [first, second].map((serial, at) => ({
    name: `ns${at + 1}`,
    address: `8.8.4.${at + 1}`,
    ...(serial === null ? { problem: silence } : { serial }),
  }));
  return { kind: 'asked', servers };
}

type Seen = Pick<RolloverFacts, 'serials' | 'look' | 'keySets'>;

interface Condition {
  readonly met: Seen;
  readonly refuted: Seen;
  readonly refutedBy: Obstacle;
  readonly silent: Seen;
  readonly silentBy: Obstacle;
  readonly unknown: Seen;
}

const reason = 'no resolver answers';
const unknown = { kind: 'unknown', reason } as const;
const silentParent: Obstacle = {
  kind: 'silent',
  server: 'b',
  address: '8.8.8.1',
  reason: 'it did not answer in time',
};

const serials: Condition = {
  met: { serials: serialsOf(7, 8), look: undefined },
  refuted: { serials: serialsOf(7, 6), look: undefined },
  refutedBy: { kind: 'old_serial', server: 'ns2', address: '8.8.4.2', serial: 6 },
  silent: { serials: serialsOf(7, null), look: undefined },
  silentBy: { kind: 'silent', server: 'ns2', address: '8.8.4.2', reason: 'it did not answer in time' },
  unknown: { serials: unknown, look: undefined },
};

const exchanged: Condition = {
  met: { serials: undefined, look: lookOf({ a: [[dsOf(newKey)]], b: [[dsOf(newKey)]] }) },
  refuted: { serials: undefined, look: lookOf({ a: [[dsOf(newKey)]], b: [[dsOf(newKey), dsOf(oldKey)]] }) },
  refutedBy: { kind: 'ds_left', server: 'b', address: '8.8.8.1', ds: [dsOf(oldKey)] },
  silent: { serials: undefined, look: lookOf({ a: [[dsOf(newKey)]], b: [null] }) },
  silentBy: silentParent,
  unknown: { serials: undefined, look: unknown },
};

const gone: Condition = {
  met: { serials: undefined, look: lookOf({ a: [[]], b: [[]] }) },
  refuted: { serials: undefined, look: lookOf({ a: [[]], b: [[dsOf(oldKey)]] }) },
  refutedBy: { kind: 'ds_left', server: 'b', address: '8.8.8.1', ds: [dsOf(oldKey)] },
  silent: { serials: undefined, look: lookOf({ a: [[]], b: [null] }) },
  silentBy: silentParent,
  unknown: { serials: undefined, look: unknown },
};

/** One nameserver with both keys, signed here, and another one. */
const keySets = (second: Partial<KeySets> | null) => keySetsOf({}, second);
const serialsHere = serialsOf(7, 7);

/** The condition is met here, and the nameservers of all providers decide. */
function sharedBy(
  own: Pick<Seen, 'serials' | 'look'>,
  met: Partial<KeySets>,
  refuted: Partial<KeySets>,
  obstacle: object,
): Condition {
  const place = { server: 'ns2', address: '8.8.4.2' } as const;
  return {
    met: { ...own, keySets: keySetsOf(met, met) },
    refuted: { ...own, keySets: keySetsOf(met, refuted) },
    refutedBy: { ...obstacle, ...place } as Obstacle,
    silent: { ...own, keySets: keySetsOf(met, null) },
    silentBy: { kind: 'silent', ...place, reason: 'it did not answer in time' },
    unknown: { ...own, keySets: unknown },
  };
}

const served = { serials: serialsHere, look: undefined };
const onlyOld = { dnskeys: [showKey(oldKey)] };
const onlyNew = { dnskeys: [showKey(newKey)] };
const bothPublished = sharedBy(served, {}, onlyOld, { kind: 'key_missing', keys: [showKey(newKey)] });
const newAnnounced = sharedBy(
  { serials: undefined, look: exchanged.met.look },
  { cds: [dsOf(newKey)], cdnskeys: [showKey(newKey)] },
  { cds: [dsOf(oldKey)] },
  { kind: 'old_cds' },
);
const newSigns = sharedBy(served, {}, { serial: 6 }, { kind: 'old_serial', serial: 6 });
const oldGone = sharedBy(served, onlyNew, {}, { kind: 'key_left', keys: [showKey(oldKey)] });

type Row = [kind: RolloverKind, step: RolloverStep, condition: Condition, ttlSeconds: number];

const table: readonly Row[] = [
  ['key', 'published', serials, 300],
  ['key', 'announced', exchanged, 3600],
  ['key', 'signed', serials, 7200],
  ['shared', 'published', bothPublished, 300],
  ['shared', 'announced', newAnnounced, 3600],
  ['shared', 'signed', newSigns, 7200],
  ['shared', 'unpublished', oldGone, 0],
  ['algorithm', 'signing', serials, 7200],
  ['algorithm', 'published', serials, 300],
  ['algorithm', 'announced', exchanged, 3600],
  ['algorithm', 'unpublished', serials, 300],
  ['withdrawal', 'withdrawing', gone, UNSEEN_DS_TTL_SECONDS + 300],
];

test('the table has each step of each kind', () => {
  const all = Object.entries(rolloverSteps).flatMap(([kind, steps]) => steps.map((step) => [kind, step]));
  expect(table.map(([kind, step]) => [kind, step])).toEqual(all);
});

test.each(table)('%s, %s', (kind, step, condition, ttlSeconds) => {
  const act = (seen: Seen, untilSeconds: number | null) =>
    nextAction(
      rolloverIn(kind, step, untilSeconds),
      { name, incoming: [newKey], outgoing: [oldKey], ttl, ...seen },
      NOW_SECONDS,
    );
  const { met, refuted, refutedBy, silent, silentBy } = condition;
  expect(asksParent({ kind, step })).toBe(condition.met.look !== undefined);
  expect(asksKeySets({ kind, step })).toBe(condition.met.keySets !== undefined);

  // The condition has not been met before.
  expect(act(met, null)).toEqual({ kind: 'note', untilSeconds: NOW_SECONDS + ttlSeconds, why: [] });
  expect(act(refuted, null)).toEqual({ kind: 'wait', untilSeconds: null, why: [refutedBy] });
  expect(act(silent, null)).toEqual({ kind: 'wait', untilSeconds: null, why: [silentBy] });
  expect(act(condition.unknown, null)).toEqual({ kind: 'wait', untilSeconds: null, why: [unknown] });
  // Nobody was asked.
  const unasked = act({ serials: undefined, look: undefined }, null);
  expect(unasked).toMatchObject({ kind: 'wait', untilSeconds: null });
  expect(unasked.kind === 'wait' && unasked.why.every(({ kind: one }) => one === 'unknown')).toBe(true);

  // It was met before: at the last second of the time, and when the time is over.
  for (const untilSeconds of [NOW_SECONDS + 1, NOW_SECONDS]) {
    const isOver = untilSeconds === NOW_SECONDS;
    expect(act(met, untilSeconds)).toEqual(
      isOver ? { kind: 'finish' } : { kind: 'wait', untilSeconds, why: [] },
    );
    expect(act(refuted, untilSeconds)).toEqual({ kind: 'note', untilSeconds: null, why: [refutedBy] });
    expect(act(silent, untilSeconds)).toEqual({ kind: 'wait', untilSeconds, why: [silentBy] });
    expect(act(condition.unknown, untilSeconds)).toEqual({ kind: 'wait', untilSeconds, why: [unknown] });
  }
});

test('one answer that contradicts the condition is enough beside servers that are silent', () => {
  const facts = { name, incoming: [newKey], outgoing: [oldKey], ttl, look: undefined };
  const rollover = rolloverIn('key', 'published', NOW_SECONDS);
  expect(nextAction(rollover, { ...facts, serials: serialsOf(null, 6) }, NOW_SECONDS)).toEqual({
    kind: 'note',
    untilSeconds: null,
    why: [{ ...serials.silentBy, server: 'ns1', address: '8.8.4.1' }, serials.refutedBy],
  });
});

test('a withdrawal waits for DS records of any key', () => {
  const facts = { name, incoming: [], outgoing: [], ttl, serials: undefined, look: gone.refuted.look };
  expect(nextAction(rolloverIn('withdrawal', 'withdrawing', null), facts, NOW_SECONDS)).toEqual({
    kind: 'wait',
    untilSeconds: null,
    why: [gone.refutedBy],
  });
});

test.each<[string, number | null, number | null, number]>([
  ['the longest of this look', null, 1800, 1800],
  ['the longest of this look and earlier ones', 900, 1800, 1800],
  ['the longest of earlier looks', 86_400, 1800, 86_400],
  ['that of earlier looks', 1800, null, 1800],
  ['zero, if that was seen', 0, null, 0],
  ['a day, if none was ever seen', null, null, UNSEEN_DS_TTL_SECONDS],
  ['a week at most', null, 2 ** 32 - 1, MAX_SEEN_TTL_SECONDS],
  ['a week at most, also of earlier looks', 2 ** 32 - 1, null, MAX_SEEN_TTL_SECONDS],
])('the TTL of DS records is %s', (_, earlier, shown, expected) => {
  const withdrawal = rolloverIn('withdrawal', 'withdrawing', null);
  const announced = rolloverIn('key', 'announced', null);
  const look = shown === null ? gone.met.look : lookOf({ a: [[dsOf(newKey)]], b: [[dsOf(newKey)]] }, shown);
  const facts = { name, incoming: [newKey], outgoing: [oldKey], serials: undefined, look };
  const found = nextAction(
    shown === null ? withdrawal : announced,
    { ...facts, ttl: { ...ttl, ds: earlier } },
    NOW_SECONDS,
  );
  // A withdrawal waits for the TTL of the keys as well.
  const wait = expected + (shown === null ? ttl.keys : 0);
  expect(found).toEqual({ kind: 'note', untilSeconds: NOW_SECONDS + wait, why: [] });
});

test('the negative TTL of servers without DS records does not count', () => {
  const facts = { name, incoming: [], outgoing: [], serials: undefined, look: gone.met.look };
  expect(
    nextAction(
      rolloverIn('withdrawal', 'withdrawing', null),
      { ...facts, ttl: { ...ttl, ds: 60 } },
      NOW_SECONDS,
    ),
  ).toMatchObject({ untilSeconds: NOW_SECONDS + 60 + ttl.keys });
});

test.each([
  ['the longest of other providers counts', 900, 900],
  ['that of this service is the shortest', 60, 300],
  ['a week is the longest', 2 ** 32 - 1, MAX_SEEN_TTL_SECONDS],
])('the TTL of DNSKEY records: %s', (_, keysTtl, expected) => {
  const facts = { name, incoming: [newKey], outgoing: [oldKey], ttl, ...served };
  const found = nextAction(
    rolloverIn('shared', 'published', null),
    { ...facts, keySets: keySets({ keysTtl }) },
    NOW_SECONDS,
  );
  expect(found).toEqual({ kind: 'note', untilSeconds: NOW_SECONDS + expected, why: [] });
});

test('beside other providers, the service need not have nameservers of its own', () => {
  const facts = { name, incoming: [newKey], outgoing: [oldKey], ttl, look: undefined };
  const nobody = { kind: 'asked', servers: [] } as const;
  const act = (sets: RolloverFacts['keySets']) =>
    nextAction(
      rolloverIn('shared', 'published', null),
      { ...facts, serials: nobody, keySets: sets },
      NOW_SECONDS,
    ).kind;
  expect(act(keySets({}))).toBe('note');
  expect(act({ kind: 'asked', sight: [], atMs: 0 })).toBe('wait');
});

test('a step of another kind is a mistake of the program', () => {
  expect(() => asksParent({ kind: 'key', step: 'unpublished' })).toThrow(
    'a rollover of the kind key has no step unpublished',
  );
});
