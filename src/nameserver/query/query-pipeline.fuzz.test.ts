import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCorpus } from '../../../test/fuzz/corpus.ts';
import { createCheckedAnswer, fuzzInProcess } from '../../../test/fuzz/in-process.ts';
import { loadZonesSigned, withDnssecOk } from '../../../test/fuzz/signed-zones.ts';
import { chooseSeed, seededRandom } from '../../../test/harness/random.ts';
import { loadZones } from '../../../test/comparison/own-answers.ts';
import { readZoneFile } from '../../../test/comparison/test-zone.ts';

const folder = new URL('../../../test/comparison/zones/corners/', import.meta.url);
const zones = readdirSync(folder).map((file) => readZoneFile(new URL(file, folder).pathname));
const checkedAnswer = createCheckedAnswer(loadZones(zones, 1));
const checkedSigned = createCheckedAnswer(loadZonesSigned(zones, 1));
const corpus = readCorpus();

test.each(corpus)('corpus packet: $title', ({ packet }) => {
  expect(checkedAnswer(packet, false)).toBeUndefined();
  expect(checkedAnswer(packet, true)).toBeUndefined();
  expect(checkedSigned(withDnssecOk(packet), false)).toBeUndefined();
  expect(checkedSigned(withDnssecOk(packet), true)).toBeUndefined();
});

test('mutated packets get valid answers or none; `npm run fuzz` sends a million', () => {
  const seed = chooseSeed();
  const packets = corpus.map(({ packet }) => packet);
  expect(fuzzInProcess(checkedAnswer, packets, seededRandom(seed), 10_000), `seed ${seed}`).toBeUndefined();
});

test('mutated packets that ask for signatures get valid answers or none', () => {
  const seed = chooseSeed();
  const packets = corpus.map(({ packet }) => withDnssecOk(packet));
  expect(fuzzInProcess(checkedSigned, packets, seededRandom(seed), 10_000), `seed ${seed}`).toBeUndefined();
});
