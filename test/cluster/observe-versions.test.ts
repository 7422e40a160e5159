import { expect, test } from 'vitest';
import { checkObservations, type Observation } from './observe-versions.ts';

/* Tests of the check itself: the answers it accepts and the faults it finds. */

const versions = [
  { serial: 4294967295, hop: 0, first: 0, last: 1 },
  { serial: 0, hop: 1, first: 0, last: 1 },
  { serial: 1, hop: 1, first: 0, last: 2 },
  { serial: 2, hop: 2, first: 0, last: 2 },
  { serial: 3, hop: 2, first: 1, last: 2 },
];

const alias = (hop: number, serial: number, damages = 0): Observation => ({
  kind: 'alias',
  hop,
  serial,
  damages,
});
const window = (...numbers: number[]): Observation => ({ kind: 'window', numbers, damages: 0 });
const refused = (damages: number): Observation => ({ kind: 'refused', damages });

test.each<[what: string, faults: number, observations: Observation[]]>([
  ['every version', 0, [alias(0, 4294967295), alias(1, 0), alias(1, 1), alias(2, 2), alias(2, 3)]],
  ['the same version again', 0, [alias(1, 1), window(0, 1, 2), alias(1, 1)]],
  ['versions left out', 0, [alias(0, 4294967295), window(1, 2), alias(2, 3)]],
  ['an alias of one version with the serial of another', 1, [alias(0, 0), alias(1, 1)]],
  ['a serial that goes back', 1, [alias(2, 2), alias(1, 1)]],
  ['a serial that never was', 1, [alias(2, 4)]],
  ['a window with a hole', 1, [window(0, 2)]],
  ['a window of two versions', 1, [window(0), window(1, 2)]],
  ['a window older than the alias before', 1, [alias(2, 2), window(0, 1)]],
  ['an alias older than the window before', 1, [window(1, 2), alias(2, 2)]],
  ['a record that is there twice', 1, [window(0, 1, 1)]],
  ['an answer of another kind', 1, [{ kind: 'odd', text: 'window NODATA', damages: 1 }]],
  ['no answer from a copy that was not damaged', 1, [refused(0)]],
  ['no answer from a damaged copy', 0, [refused(1), alias(1, 1, 1)]],
  ['a serial that goes back when the copy is damaged', 0, [alias(2, 2), alias(1, 1, 1)]],
  ['a serial that goes back after that', 1, [alias(2, 2), alias(1, 1, 1), alias(1, 0, 1)]],
])('%s: %i faults', (_, faults, observations) => {
  expect(checkObservations({ name: 'versions.example', versions }, observations)).toHaveLength(faults);
});
