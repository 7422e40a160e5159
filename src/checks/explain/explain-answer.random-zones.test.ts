// The explanation of every question agrees with the answer of the nameserver, which finds it by other means.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFailed, test } from 'vitest';
import type { TestZone } from '../../../test/comparison/test-zone.ts';
import { chooseSeed, seededRandom, type Random } from '../../../test/harness/random.ts';
import { readScenario } from '../../../test/scenarios/scenario-file.ts';
import { toTestZone } from '../../../test/scenarios/scenario-server.ts';
import { typeNumber } from '../../../test/scenarios/wire-names.ts';
import { lowerDomainName, parseDomainName } from '../../dns/name.ts';
import { answerSigned } from '../../nameserver/query/signed-answers.test-support.ts';
import { randomName, randomZone } from '../../nameserver/query/random-zone.test-support.ts';
import { readSignedMessage } from '../../nameserver/query/signed-message.test-support.ts';
import { explainAnswer } from './explain-answer.ts';
import { readerOf, zoneOf } from './explained-zone.test-support.ts';

/* RANDOM_ZONES=1000 tries more of them; TEST_SEED=7 tries others. */
const ZONES = Number(process.env['RANDOM_ZONES'] ?? 60);
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
  'TYPE731',
];

interface Question {
  readonly name: string;
  readonly type: string;
}

function randomQuestion(random: Random): Question {
  const name = randomName(random);
  const below = random.below(4) === 0 ? `${random.pick(['a', '*', 'zz'])}.` : '';
  return { name: below + name, type: random.pick(types) };
}

/** Compares all answers of a zone, unsigned and signed, with their explanations; returns the differences. */
async function compare(zone: TestZone, questions: readonly Question[]): Promise<readonly string[]> {
  const answers = answerSigned(zone, { denial: 'nsec', algorithm: 13 });
  const reader = readerOf(zone);
  const problems: string[] = [];
  for (const { name, type } of questions)
    for (const isSigned of [false, true]) {
      const asked = { name, type, ednsBytes: 1232, overTcp: true, dnssecOk: false };
      const message = readSignedMessage(isSigned ? answers.ask(asked) : answers.askUnsigned(asked));
      const sets = [...message.answer.sets].map((set) => `${set.owner.join('.')} ${set.type}`);
      const served = `${message.rcode} ${sets.sort().join()}`;
      const { prediction, steps } = await explainAnswer(
        zoneOf(zone, isSigned),
        reader.question(name, type),
        reader,
      );
      if (prediction === null) {
        expect([isSigned, steps[0].code], `${name} ${type}`).toContain(true);
        continue;
      }
      const predicted = prediction.answer.map((set) => `${wireText(set.name)} ${set.type}`);
      const shown = `${prediction.rcode} ${predicted.sort().join()}`;
      if (shown !== served) problems.push(`${name} ${type}: predicted ${shown}, served ${served}`);
    }
  return problems;
}

/** Labels with one character an octet, as `readSignedMessage` has them. */
function wireText(name: string): string {
  const parsed = parseDomainName(name);
  if (!parsed.ok) throw new Error(parsed.problem);
  const wire = lowerDomainName(parsed.value);
  const labels: string[] = [];
  for (let at = 0; wire[at] > 0; at += 1 + wire[at])
    labels.push(Buffer.from(wire.subarray(at + 1, at + 1 + wire[at])).toString('latin1'));
  return labels.join('.');
}

test('an explanation predicts the answers of random zones', async () => {
  const seed = chooseSeed(USUAL_SEED);
  onTestFailed(() => console.log(`TEST_SEED=${seed}`));
  const random = seededRandom(seed);
  for (let i = 0; i < ZONES; i++) {
    const zone = randomZone(random);
    const questions = Array.from({ length: QUESTIONS }, () => randomQuestion(random));
    const lines = zone.records.map(({ owner, ttl, type, data }) => `${owner} ${ttl} ${type} ${data}`);
    expect(await compare(zone, questions), `zone ${i}:\n${lines.join('\n')}`).toEqual([]);
  }
});

const folder = join(import.meta.dirname, '../../../test/scenarios');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.scenario'),
);

/** Names of a zone with several labels; the root and top-level domains are no domains of customers. */
const MIN_DOTS = 1;

test('an explanation predicts the answers of all scenarios with one zone', async () => {
  let compared = 0;
  for (const file of files) {
    const { zones, asks } = readScenario(join(folder, file));
    const [zone] = zones;
    if (zones.length !== 1 || zone.records.length === 0 || zone.apex.split('.').length - 1 < MIN_DOTS)
      continue;
    const questions = asks.flatMap(({ query }) =>
      query.kind === 'ask' && isInZone(query.name, zone.apex) && isRecordType(query.type)
        ? [{ name: query.name, type: query.type }]
        : [],
    );
    compared += questions.length;
    expect(await compare(toTestZone(zone), questions), file).toEqual([]);
  }
  expect(compared).toBeGreaterThan(100);
});

function isInZone(name: string, apex: string): boolean {
  return `.${name.toLowerCase()}`.endsWith(apex === '.' ? '.' : `.${apex.toLowerCase()}`);
}

/** ANY and the types of messages are no types of records. */
function isRecordType(type: string): boolean {
  const number = typeNumber(type);
  return number > 0 && number !== 41 && (number < 128 || number > 255);
}
