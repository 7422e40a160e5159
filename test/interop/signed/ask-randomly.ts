// Asks a validating resolver random questions about a zone, and compares its answers with what was written.

import type { Random } from '../../harness/random.ts';
import { expectEqual } from '../expect.ts';
import type { ValidatingResolver } from '../moving/validating-resolver.ts';
import { expectAnswer, pathTo, type ModelZone } from './model-zone.ts';
import { randomName } from './random-edits.ts';

/** The resolver counts TTLs down; the smallest two that the test writes differ by more. */
const MAX_AGE_SECONDS = 60;
/** Questions without an expected answer are left out. */
const DRAWN_FOR_EACH = 4;

const types = ['A', 'A', 'AAAA', 'TXT', 'MX', 'CNAME', 'DS', 'CAA'] as const;

/**
 * @param change the last one, for the messages
 * @returns the number of questions
 */
export async function askRandomly(
  random: Random,
  zone: ModelZone,
  resolver: ValidatingResolver,
  count: number,
  change = 'records',
): Promise<number> {
  const questions = Array.from({ length: count * DRAWN_FOR_EACH }, () => pickQuestion(random, zone))
    .flatMap(([name, type]) => {
      const expected = expectAnswer(zone, name, type);
      return expected === undefined ? [] : [{ name, type, expected }];
    })
    .slice(0, count);
  await resolver.flush(zone.apex);
  const answers = await resolver.lookUp(questions.map(({ name, type }) => [name, type]));
  for (const [i, { name, type, expected }] of questions.entries()) {
    const { status, flags, answer, text } = answers[i];
    const seen = answer.map((line) => line.split(' ')).filter(([, , , seenType]) => seenType !== 'RRSIG');
    const lines = seen.map(([owner, , , ...data]) => `${owner} ${data.join(' ')}`).sort();
    const isSecure = flags.includes('ad');
    const wrongTtl = seen.find(([owner, ttl, , ...data]) => {
      const written = expected.ttls.get(`${owner} ${data.join(' ')}`);
      return written !== undefined && (Number(ttl) > written || Number(ttl) < written - MAX_AGE_SECONDS);
    });
    const wanted = { status: expected.status, lines: expected.lines, isSecure: expected.isSecure };
    expectEqual(
      { status, lines, isSecure },
      wanted,
      `${name} ${type} after a change of ${change}\n${text}\n${showZone(zone)}`,
    );
    expectEqual(wrongTtl, undefined, `the TTL of ${name} ${type}\n${text}\n${showZone(zone)}`);
  }
  return questions.length;
}

function pickQuestion(random: Random, zone: ModelZone): readonly [name: string, type: string] {
  const { apex, children, records } = zone;
  const type = random.pick(types);
  const record = random.pick(records);
  const path = pathTo(apex, record.owner);
  switch (random.below(8)) {
    case 0:
      return [randomName(random, apex), type];
    case 1:
      return [`x.${record.owner}`, type];
    case 2:
      return [`a.b.c.${record.owner}`, type];
    case 3:
      return [random.pick([apex, ...path]), type === 'DS' ? 'TXT' : type];
    case 4:
      return [
        `${random.pick(['www', 'www', 'nothing'])}.${random.pick(children)}`,
        random.pick(['A', 'TXT']),
      ];
    case 5:
      return [random.pick([...children, record.owner]), 'DS'];
    case 6:
      return [record.owner.replace('*', random.pick(['wild', 'a.b', '*'])), record.type];
    default:
      return [record.owner, record.type];
  }
}

export function showZone({ records }: ModelZone): string {
  return records.map(({ owner, ttl, type, shown }) => `${owner} ${ttl} ${type} ${shown}`).join('\n');
}
