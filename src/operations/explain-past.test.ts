import { expect, test } from 'vitest';
import type { PastMoment } from '../store/zone-view.ts';
import { explainName, type ExplainedName, type QuestionInput } from './explain-name.ts';
import { importZone } from './import-zone.ts';
import type { OperationContext } from './operation-context.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import { WorkBudget } from './work-budget.ts';

const { context, caller } = await openOperationScene();
const getSignal = (): AbortSignal => new AbortController().signal;

/** The contents of a zone, one after the other. Each changes how some of the questions are answered. */
const states: readonly (readonly string[])[] = [
  ['@ A 192.0.2.1', 'www A 192.0.2.1', '*.w A 192.0.2.2', 'a.b.c A 192.0.2.3'],
  ['@ A 192.0.2.1', 'www CNAME target', 'target A 192.0.2.4', '*.w TXT "x"', 'b.c A 192.0.2.3'],
  ['@ A 192.0.2.1', 'www CNAME target', 'sub NS ns.sub', 'ns.sub A 192.0.2.5', 'x.w A 192.0.2.6'],
  ['@ A 192.0.2.9', 'sub A 192.0.2.7', 'old DNAME example.net.', 'target CNAME www'],
  ['@ A 192.0.2.9', 'www A 192.0.2.1', 'target CNAME www', 'x.y.w A 192.0.2.6'],
];

const names = ['@', 'www', 'target', 'x.w', 'w', 'y.w', 'c', 'b.c', 'a.b.c', 'sub', 'h.sub', 'z.old', 'none'];
const questions = names.flatMap((name) => ['A', 'TXT', 'CNAME'].map((type) => ({ name, type })));

async function write(domain: string, lines: readonly string[]): Promise<void> {
  const content = ['$TTL 300', ...lines].join('\n');
  const input = { content, mode: 'replace', isCreating: true } as const;
  const imported = await importZone(context, caller, domain, input);
  if (!imported.ok) throw new Error(imported.refusal.message);
}

function explain(domain: string, input: QuestionInput, about: Partial<OperationContext> = {}) {
  return explainName({ ...context, ...about }, caller, domain, input, getSignal);
}

async function must(domain: string, input: QuestionInput): Promise<ExplainedName> {
  const found = await explain(domain, input);
  if (!found.ok) throw new Error(found.refusal.message);
  return found.value;
}

/** The last step is about signing, of which the past is not known. */
function reasonsOf({ prediction, serial, steps }: ExplainedName) {
  return { prediction, serial, steps: steps.slice(0, -1) };
}

for (const [size, filler] of [
  ['small', []],
  ['large', Array.from({ length: 1200 }, (_, at) => `f${at} A 192.0.2.8`)],
] as const) {
  test(`answers of a ${size} domain are explained as they were at each serial`, async () => {
    const domain = `${size}.example.com`;
    const then: { readonly input: QuestionInput; readonly reasons: ReturnType<typeof reasonsOf> }[] = [];
    for (const lines of states) {
      await write(domain, [...lines, ...filler]);
      for (const input of questions) {
        then.push({ input, reasons: reasonsOf(await must(domain, input)) });
      }
    }
    expect(new Set(then.map(({ reasons }) => reasons.serial)).size).toBe(states.length);
    for (const { input, reasons } of then) {
      const past = await must(domain, { ...input, at: { serial: reasons.serial } });
      // Names below others, which a large domain does not know today, can stand in its history.
      if (reasons.prediction !== null) expect(reasonsOf(past), JSON.stringify(input)).toEqual(reasons);
      expect(past).toMatchObject({ served: null, agrees: null, resolver: null });
    }
  });
}

test('a moment can be a time, and says which serial it was', async () => {
  await write('time.example.com', ['www A 192.0.2.1']);
  const found = await must('time.example.com', { name: 'www', type: 'A', at: { atMs: Date.now() + 1000 } });
  expect(found.prediction).toEqual({ rcode: 0, answer: [{ name: 'www.time.example.com', type: 1 }] });
  expect(found.serial).toBe((await must('time.example.com', { name: 'www', type: 'A' })).serial);
  expect(found.note).toMatch(/^This is how the records were then/);
  expect(found.steps.at(-1)?.code).toBe('not_known');
});

test('a moment that the history does not reach is refused, and so is a resolver beside it', async () => {
  const domain = 'early.example.com';
  await write(domain, ['www A 192.0.2.1']);
  const { serial } = await must(domain, { name: '', type: 'A' });
  const moments: readonly PastMoment[] = [{ serial: serial - 5 }, { serial: serial + 5 }, { atMs: 1000 }];
  for (const at of moments)
    expect(await explain(domain, { name: '', type: 'A', at })).toMatchObject({
      refusal: { code: 'history_gone' },
    });
  const both = { name: '', type: 'A', at: { serial }, resolver: '192.0.2.1' };
  expect(await explain(domain, both)).toMatchObject({ refusal: { field: 'resolver' } });
});

test('what has changed a lot since then is not known, and costs no more than a limit', async () => {
  const domain = 'much.example.com';
  await write(domain, ['www A 192.0.2.1']);
  const { serial } = await must(domain, { name: '', type: 'A' });
  await write(
    domain,
    Array.from({ length: 10_500 }, (_, at) => `n${at} A 192.0.2.8`),
  );
  const work = new WorkBudget(() => 0);
  const found = await explain(domain, { name: 'www', type: 'A', at: { serial } }, { work });
  expect(found).toMatchObject({ value: { prediction: null, steps: [{ code: 'not_known' }] } });
  expect(work.used(caller.accountId, 10_000_000)).toBe(1 + 200 + 2000 + 10_000);
});

test('a domain that changes while its history is read is read again', async () => {
  const domain = 'restless.example.com';
  await write(domain, ['www A 192.0.2.1']);
  const { serial } = await must(domain, { name: '', type: 'A' });
  const { store } = context;
  let changes = 2;
  const recordsAt: typeof store.names.recordsAt = async (...about) => {
    if (changes > 0) await write(domain, [`www A 192.0.2.${100 + (changes-- % 100)}`, 'new A 192.0.2.1']);
    return store.names.recordsAt(...about);
  };
  const restless = Object.create(store, {
    names: { value: { ...store.names, recordsAt } },
  }) as typeof store;
  const input = { name: 'new', type: 'A', at: { serial } };
  const found = await explain(domain, input, { store: restless });
  expect(found).toMatchObject({ value: { prediction: { rcode: 3 } } });
  changes = 1000;
  await expect(explain(domain, input, { store: restless })).rejects.toThrow('keeps changing');
});
