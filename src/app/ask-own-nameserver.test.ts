import { expect, test } from 'vitest';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import { startNameserver } from '../dns-client/nameserver.test-support.ts';
import { createAskNameserver } from './ask-own-nameserver.ts';

const getSignal = (): AbortSignal => new AbortController().signal;

function questionOf(text: string): { name: DomainName; type: number } {
  const parsed = parseDomainName(`${text}.`);
  if (!parsed.ok) throw new Error(parsed.problem);
  return { name: parsed.value, type: 1 };
}

test('many questions of one account do not delay those of another', async () => {
  const asked = new Set<string>();
  const address = await startNameserver(({ questions: [{ name }] }) => {
    asked.add(name);
    return name.startsWith('other') ? {} : 'silence';
  });
  const ask = createAskNameserver(() => [address]);
  const flood = Array.from({ length: 100 }, (_, i) => ask('a', questionOf(`q${i}.example`), getSignal));
  expect(await ask('b', questionOf('other.example'), getSignal)).toMatchObject({ rcode: 0 });
  expect(asked.size).toBeLessThanOrEqual(5);
  const problems = (await Promise.all(flood)).map((answer) => ('problem' in answer ? answer.problem : ''));
  expect(problems.filter((problem) => problem.includes('other questions are in progress'))).not.toEqual([]);
  expect(problems).not.toContain('');
});

test('a nameserver that is not there is not asked', async () => {
  const ask = createAskNameserver(() => []);
  expect(await ask('a', questionOf('www.example'), getSignal)).toEqual({
    problem: 'the nameserver here is not running',
  });
});
