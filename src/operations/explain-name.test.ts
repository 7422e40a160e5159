import { expect, test } from 'vitest';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import type { Message } from '../dns/message.ts';
import type { ZoneName } from '../model/domain.ts';
import type { AskNameserver } from './asked-answer.ts';
import { createDomain } from './create-domain.ts';
import type { OperationContext } from './operation-context.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import { explainName } from './explain-name.ts';
import { importZone } from './import-zone.ts';
import { WorkBudget } from './work-budget.ts';

const { context, caller } = await openOperationScene();
const created = await createDomain(context, caller, { domain: 'example.com', ip: '192.0.2.1' });
if (!created.ok) throw new Error(created.refusal.message);
const getSignal = (): AbortSignal => new AbortController().signal;

async function explain(about: Partial<OperationContext>, name = '') {
  const input = { name, type: 'A' };
  const result = await explainName({ ...context, ...about }, caller, 'example.com', input, getSignal);
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

function answerOf(rcode: number): Message {
  const flags = { isResponse: true, isAuthoritative: true, isTruncated: false, isAuthenticated: false };
  const sections = { answers: [], authorities: [], additionals: [] };
  return { id: 1, ...flags, rcode, question: undefined, ...sections };
}

test('without a nameserver beside the process, the answer is predicted', async () => {
  const found = await explain({});
  expect(found).toMatchObject({
    prediction: { rcode: 0, answer: [{ name: 'example.com', type: 1 }] },
    served: null,
    agrees: null,
    resolver: null,
  });
  expect(found.note).toMatch(/^No nameserver was asked/);
});

test('a nameserver that answers otherwise than the records say is not hidden', async () => {
  const found = await explain({ askNameserver: () => Promise.resolve(answerOf(3)) });
  expect([found.agrees, found.served?.rcode, found.prediction?.rcode]).toEqual([false, 3, 0]);
  expect(found.note).toContain('otherwise than the records say');
  const away = await explain({ askNameserver: () => Promise.resolve({ problem: 'it is away' }) });
  expect([away.agrees, away.note]).toEqual([null, 'The nameserver gave no answer: it is away']);
});

test('the nameserver is asked the question once, in a domain that is small', async () => {
  const asked: DomainName[] = [];
  const askNameserver: AskNameserver = (_, { name }) => {
    asked.push(name);
    return Promise.resolve(answerOf(3));
  };
  expect(await explain({ askNameserver }, 'a.b.c')).toMatchObject({ agrees: true, note: null });
  expect(asked).toEqual([nameOf('a.b.c.example.com')]);
});

test('other work goes on between the names that are read', async () => {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await explain({}, 'a.'.repeat(50) + 'b');
  isDone = true;
  expect(turns).toBeGreaterThan(50);
});

test('the cost has the records that may be read, and what is searched in a small domain', async () => {
  const records = (count: number, octets: number): string =>
    Array.from({ length: count }, (_, i) => `t${i} TXT "${'x'.repeat(octets)}"`).join('\n');
  // In the second domain, nothing is searched: it is longer than that.
  for (const [name, content, perRecord] of [
    ['small.example.com', records(900, 1), 5],
    ['long.example.com', records(900, 200), 1],
  ] as const) {
    const input = { content: `$TTL 300\n${content}`, mode: 'replace', isCreating: true } as const;
    const imported = await importZone(context, caller, name, input);
    if (!imported.ok) throw new Error(imported.refusal.message);
    const work = new WorkBudget(() => 0);
    const found = await explainName({ ...context, work }, caller, name, { name: 't1', type: 'A' }, getSignal);
    expect(found).toMatchObject({ value: { prediction: { rcode: 0 } } });
    const domain = await context.store.findDomain(caller.accountId, name as ZoneName);
    if (domain === undefined) throw new Error('it was imported');
    const { recordCount, octets } = domain;
    const searched = perRecord === 1 ? 0 : Math.ceil((4 * octets) / 256);
    expect(work.used(caller.accountId, 10_000_000)).toBe(1 + 200 + perRecord * recordCount + searched);
  }
});

test('an account that has used its work of a minute gets no explanation', async () => {
  const work = new WorkBudget(() => 0);
  work.take(caller.accountId, 10_000_000, 10_000_000);
  const input = { name: '', type: 'A' };
  const found = await explainName({ ...context, work }, caller, 'small.example.com', input, getSignal);
  expect(found).toMatchObject({ refusal: { code: 'cost_exceeded' } });
});

function nameOf(text: string): DomainName {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
