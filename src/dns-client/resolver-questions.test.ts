import { expect, test } from 'vitest';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import { startNameserver } from './nameserver.test-support.ts';
import { recordOf } from './parent.test-support.ts';
import { ResolverQuestions, type AllowedResolvers } from './resolver-questions.ts';
import { DEFAULT_ASKED_RESOLVERS, parseAskedResolvers } from './server-list.ts';

const noSignal = (): AbortSignal => new AbortController().signal;
const question = { name: nameOf('www.example.com'), type: 1 };

function nameOf(text: string): DomainName {
  const parsed = parseDomainName(`${text}.`);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

/** @param stepMs how far each look at the clock moves it */
function openQuestions(allowed: AllowedResolvers, shortestTurnMs = 0, stepMs = 6): ResolverQuestions {
  let nowMs = 0;
  return new ResolverQuestions({
    allowed,
    monotonic: { elapsedMs: () => (nowMs += stepMs) },
    shortestTurnMs,
  });
}

test.each([
  '127.0.0.1',
  '10.0.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '224.0.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '192.0.2.1',
  '100.64.0.1',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '2001:db8::1',
])('%s is never asked where public addresses may be', (address) => {
  expect(openQuestions('public').find(address)).toEqual({
    problem: 'Only resolvers with a public address can be asked',
  });
});

test.each([
  ['9.9.9.9', '9.9.9.9'],
  ['2620:FE:0:0::fe', '2620:fe::fe'],
])('the public address %s may be asked', (text, address) => {
  expect(openQuestions('public').find(text)).toEqual({ address });
});

test.each(['dns.example.net', '9.9.9.9:5353', '[2620:fe::fe]:53', '', '0x7f.1', '9.9.9'])(
  '%j is no address',
  (text) => {
    expect(openQuestions('public').find(text)).toEqual({ problem: 'The resolver must be an IP address' });
  },
);

test('with a list, only its resolvers may be asked, and each at its port', async () => {
  const asked: unknown[] = [];
  const server = await startNameserver(({ questions, flag_rd: isRecursive }) => {
    asked.push(questions[0].name, isRecursive);
    const answers = [recordOf('www.example.com', '192.0.2.7')];
    return { flags: 0x00a0, answers };
  });
  const questions = openQuestions([server]);
  expect(questions.find('127.0.0.1')).toEqual({ address: '127.0.0.1' });
  expect(questions.find('9.9.9.9')).toEqual({
    problem: 'This service asks only these resolvers: 127.0.0.1',
  });
  const found = await questions.ask('a', '127.0.0.1', question, noSignal);
  expect(found).toMatchObject({
    durationMs: 6,
    answer: { rcode: 0, isAuthenticated: true, answers: [{ ttl: 60 }] },
  });
  expect(asked).toEqual(['www.example.com', true]);
});

test('an answer of any code is an answer, and a resolver that says nothing is a problem', async () => {
  const failing = await startNameserver(() => ({ flags: 2 }));
  expect(await openQuestions([failing]).ask('a', '127.0.0.1', question, noSignal)).toMatchObject({
    answer: { rcode: 2 },
  });
  const closed = openQuestions([{ host: '127.0.0.1', port: 1 }]);
  expect(await closed.ask('a', '127.0.0.1', question, noSignal)).toMatchObject({
    answer: { problem: expect.stringContaining('127.0.0.1') as string },
  });
});

test('an account has one question at a time, and a turn lasts a while', async () => {
  const server = await startNameserver(() => ({ answers: [] }));
  const questions = openQuestions([server], 60_000);
  await questions.ask('a', '127.0.0.1', question, noSignal);
  const gone = new AbortController();
  gone.abort();
  expect(await questions.ask('a', '127.0.0.1', question, () => gone.signal)).toMatchObject({
    durationMs: null,
    answer: { problem: expect.stringContaining('other questions are in progress') as string },
  });
  expect(await questions.ask('b', '127.0.0.1', question, noSignal)).toMatchObject({ answer: { rcode: 0 } });
});

test('the setting is a list, public or none; by default, all of its resolvers are public', () => {
  expect(parseAskedResolvers('none')).toEqual({ ok: true, value: 'none' });
  expect(parseAskedResolvers('public')).toEqual({ ok: true, value: 'public' });
  const list = parseAskedResolvers(DEFAULT_ASKED_RESOLVERS);
  if (!list.ok || typeof list.value === 'string') throw new Error('it is a list');
  const questions = openQuestions('public');
  for (const { host, port } of list.value)
    expect([questions.find(host), port]).toEqual([{ address: host }, 53]);
});
