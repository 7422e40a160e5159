import { expect, test } from 'vitest';
import { ClockDoubt, type ClockReadings } from './clock-doubt.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.parse('2026-11-20T09:00:00Z');

/** A clock that has run for so long, and is wrong by so much. */
function at(elapsedMs: number, wrongMs = 0, others: Partial<ClockReadings> = {}): ClockReadings {
  return {
    wallMs: START_MS + elapsedMs + wrongMs,
    monotonicMs: elapsedMs,
    reading: undefined,
    databaseOffsetMs: undefined,
    ...others,
  };
}

test('a clock that runs steadily is used', () => {
  const doubt = new ClockDoubt();
  for (const day of [0, 1, 30]) expect(doubt.find(at(day * DAY_MS))).toBeUndefined();
});

test('a clock that is corrected by hours is used', () => {
  const doubt = new ClockDoubt();
  expect(doubt.find(at(0))).toBeUndefined();
  expect(doubt.find(at(1, -23 * HOUR_MS))).toBeUndefined();
  expect(doubt.find(at(2))).toBeUndefined();
});

test.each([
  ['has gone back by 48 hours', -2 * DAY_MS],
  ['has jumped ahead by 48 hours', 2 * DAY_MS],
])('a clock that %s is not used until it is back', (fault, wrongMs) => {
  const doubt = new ClockDoubt();
  expect(doubt.find(at(0))).toBeUndefined();
  expect(doubt.find(at(1, wrongMs))).toBe(`The clock ${fault}; signatures are not renewed until it is right`);
  expect(doubt.find(at(5 * HOUR_MS, wrongMs))).toMatch(fault);
  expect(doubt.find(at(5 * HOUR_MS))).toBeUndefined();
});

test('a clock that has run on steadily for six hours after a jump is used', () => {
  const doubt = new ClockDoubt();
  doubt.find(at(0));
  expect(doubt.find(at(HOUR_MS, -2 * DAY_MS))).toBeDefined();
  expect(doubt.find(at(2 * HOUR_MS, -4 * DAY_MS))).toBeDefined();
  expect(doubt.find(at(7 * HOUR_MS, -4 * DAY_MS))).toBeDefined();
  expect(doubt.find(at(8 * HOUR_MS, -4 * DAY_MS))).toBeUndefined();
});

test('the trusted time of the store knows of a jump before the start', () => {
  const reading = { trustedMs: START_MS, isHeld: true, aheadMs: 3 * DAY_MS };
  expect(new ClockDoubt().find(at(0, 0, { reading }))).toMatch('has jumped ahead by 72 hours');
  expect(new ClockDoubt().find(at(0, 0, { reading: { ...reading, aheadMs: HOUR_MS } }))).toBeUndefined();
});

test.each([
  [2 * DAY_MS, 'is 48 hours ahead of that of the database'],
  [-2 * DAY_MS, 'is 48 hours behind that of the database'],
  [DAY_MS, undefined],
])('the clock of the database counts: %j', (databaseOffsetMs, fault) => {
  const found = new ClockDoubt().find(at(0, 0, { databaseOffsetMs }));
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(fault);
});

test('a clock that is behind all signatures when the service starts is not used until it is right', () => {
  const doubt = new ClockDoubt();
  doubt.notePast(START_MS - DAY_MS, 0);
  expect(doubt.find(at(0))).toBeUndefined();
  const later = new ClockDoubt();
  later.notePast(START_MS, 0);
  expect(later.find(at(0, -4 * DAY_MS))).toMatch('has gone back by 96 hours');
  expect(later.find(at(HOUR_MS, -4 * DAY_MS))).toMatch('has gone back by 96 hours');
  expect(later.find(at(2 * HOUR_MS))).toBeUndefined();
});

test('a clock that runs on steadily for six hours is right, and the signatures were made by a wrong one', () => {
  const doubt = new ClockDoubt();
  doubt.notePast(START_MS + 30 * DAY_MS, 0);
  expect(doubt.find(at(0))).toMatch('has gone back by 720 hours');
  expect(doubt.find(at(6 * HOUR_MS))).toBeUndefined();
  expect(doubt.find(at(7 * HOUR_MS))).toBeUndefined();
});

test('a clock that is behind all signatures is used if that of the database agrees', () => {
  const doubt = new ClockDoubt();
  doubt.notePast(START_MS + 30 * DAY_MS, 0);
  expect(doubt.find(at(0))).toBeDefined();
  expect(doubt.find(at(1, 0, { databaseOffsetMs: HOUR_MS }))).toBeUndefined();
  expect(doubt.find(at(2, 0, { databaseOffsetMs: 2 * DAY_MS }))).toMatch('48 hours ahead');
});

test('writes go on after a long stop, which looks like a jump ahead, but not after a jump', () => {
  const reading = { trustedMs: START_MS, isHeld: true, aheadMs: 3 * DAY_MS };
  const doubt = new ClockDoubt();
  expect(doubt.find(at(0, 0, { reading }))).toBeDefined();
  expect(doubt.findFault(at(1))).toBeUndefined();
  expect(doubt.findFault(at(2, 2 * DAY_MS))).toBe('has jumped ahead by 48 hours');
  expect(doubt.findFault(at(3, 0, { databaseOffsetMs: 2 * DAY_MS }))).toMatch('48 hours ahead');
});
