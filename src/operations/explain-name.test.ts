import { expect, test } from 'vitest';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import type { Message } from '../dns/message.ts';
import { createDomain } from './create-domain.ts';
import type { OperationContext } from './operation-context.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import { explainName } from './explain-name.ts';

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
  const askNameserver = (name: DomainName) => {
    asked.push(name);
    return Promise.resolve(answerOf(3));
  };
  expect(await explain({ askNameserver }, 'a.b.c')).toMatchObject({ agrees: true, note: null });
  expect(asked).toEqual([nameOf('a.b.c.example.com')]);
});

function nameOf(text: string): DomainName {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
