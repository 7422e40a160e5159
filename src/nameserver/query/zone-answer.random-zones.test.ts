import { expect, onTestFailed, test } from 'vitest';
import { chooseSeed, seededRandom, type Random } from '../../../test/harness/random.ts';
import { parseDomainName } from '../../dns/name.ts';
import { randomName, randomZone } from './random-zone.test-support.ts';
import { answerSigned, type Asked, type SignedAnswers } from './signed-answers.test-support.ts';
import type { TestSigning } from './signed-zone.test-support.ts';

/* RANDOM_ZONES=1000 tries more of them; TEST_SEED=7 tries others. */
const ZONES = Number(process.env['RANDOM_ZONES'] ?? 40);
const QUESTIONS = 60;
/** The same each time: the checks of a change fail only because of the change. */
const USUAL_SEED = 35;
const types = [
  'A',
  'TXT',
  'NS',
  'DS',
  'CNAME',
  'DNAME',
  'MX',
  'SRV',
  'SOA',
  'DNSKEY',
  'NSEC',
  'RRSIG',
  'ANY',
  'TYPE731',
];
const sizes = [512, 600, 800, 1232, 4096, 65_535];

function randomQuestion(random: Random): Omit<Asked, 'dnssecOk'> {
  return {
    name:
      random.below(4) === 0 ? `${random.pick(['a', '*', 'zz'])}.${randomName(random)}` : randomName(random),
    type: random.pick(types),
    ednsBytes: random.pick(sizes),
    overTcp: random.below(2) === 0,
  };
}

function findProblem(answers: SignedAnswers, random: Random): string | undefined {
  for (let i = 0; i < QUESTIONS; i++) {
    const question = randomQuestion(random);
    const problem = answers.check(question);
    if (problem !== undefined) return `${JSON.stringify(question)}: ${problem}`;
  }
  return undefined;
}

test.each(['nsec', 'nsec3'] as const)('a validator accepts all answers of random zones with %s', (denial) => {
  const seed = chooseSeed(USUAL_SEED);
  onTestFailed(() => console.log(`TEST_SEED=${seed}`));
  const random = seededRandom(seed);
  for (let i = 0; i < ZONES; i++) {
    const zone = randomZone(random);
    const signing: TestSigning = { denial, algorithm: random.pick([13, 15]) };
    const problem = findProblem(answerSigned(zone, signing), random);
    const lines = zone.records.map(({ owner, ttl, type, data }) => `${owner} ${ttl} ${type} ${data}`);
    expect(problem, `zone ${i}:\n${lines.join('\n')}`).toBeUndefined();
  }
});

test('the longest random name can be asked for, with a label before it', () => {
  const last: Random = {
    next: () => 0.99,
    below: (limit) => limit - 1,
    pick: (items) => items[items.length - 1],
  };
  expect(parseDomainName(randomName(last))).toMatchObject({ ok: true });
  expect(parseDomainName(`zz.${randomName(last)}`)).toMatchObject({ ok: true });
});
