import { expect, test } from 'vitest';
import type { Command } from './command.ts';
import {
  isLarge,
  LARGE_OCTETS,
  LARGE_ROWS,
  RSA_SIGNED_ROW_COST,
  SIGNED_ROW_COST,
  weighCommand,
  type TouchedRows,
} from './command-weight.ts';
import { newImportedKey } from './signing/signed-scene.test-support.ts';
import { author, record, rules, zone } from './decide-scene.test-support.ts';

const one = record('r1', 'www A 192.0.2.1');
const base = { author, domain: zone } as const;
const importOf = (count: number): Command => {
  const records = Array.from({ length: count }, () => one);
  return { ...base, kind: 'importZone', records, mode: 'replace', soa: null };
};
const changing = (count: number): Command => {
  const updates = Array.from({ length: count }, (_, at) => ({ id: `r${at}`, patch: { ttl: 61 } }));
  return { ...base, kind: 'changeRecords', changes: { deletes: [], updates, creates: [] }, rules };
};
const importing = (algorithm: 8 | 13): Command => {
  return { ...base, kind: 'addZoneKey', key: newImportedKey(algorithm), denial: 'nsec' };
};
const revert: Command = { ...base, kind: 'revertRecords', to: 1 };

test.each<[string, Command, TouchedRows, boolean]>([
  ['an import of 30 records into a small zone', importOf(30), { records: 30 }, false],
  ['an import of 30 records into a large zone', importOf(30), { records: LARGE_ROWS }, true],
  ['an import of many records', importOf(LARGE_ROWS), {}, true],
  ['a revert of a small zone', revert, { records: 10, changes: 10 }, false],
  ['a revert of a small zone with a long history', revert, { records: 10, changes: LARGE_ROWS }, true],
  ['a small batch of short records', changing(560), { octets: 560 * 50 }, false],
  ['a small batch of long records', changing(560), { octets: LARGE_OCTETS }, true],
  ['a small batch in a signed zone', changing(30), { rowCost: SIGNED_ROW_COST }, false],
  ['a batch in a signed zone', changing(100), { rowCost: SIGNED_ROW_COST }, true],
  ['a tiny batch in a zone signed with RSA', changing(20), { rowCost: RSA_SIGNED_ROW_COST }, false],
  ['a small batch in a zone signed with RSA', changing(30), { rowCost: RSA_SIGNED_ROW_COST }, true],
  ['a P-256 key for a small zone', importing(13), { records: 50 }, false],
  ['an RSA key for a small zone', importing(8), { records: 50 }, true],
  ['a record', { ...base, kind: 'createRecord', record: one }, {}, false],
])('%s is large: %#', (_, command, touched, expected) => {
  expect(isLarge(weighCommand(command, touched))).toBe(expected);
});
