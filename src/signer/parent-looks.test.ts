import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { startNameserver, type Answerer } from '../dns-client/nameserver.test-support.ts';
import type { ParentLookup } from '../dns-client/parent-lookup.ts';
import { dsText, startParent, withDs, withoutDs } from '../dns-client/parent.test-support.ts';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import { ParentLooks, type ParentLook, type ParentLooksOptions } from './parent-looks.ts';

const atMs = Date.parse('2026-11-20T09:00:00Z');
const clock: Clock = { nowMs: () => atMs };

function nameOf(text: string): DomainName {
  const parsed = parseDomainName(`${text}.`);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

interface Scene {
  readonly looks: ParentLooks;
  /** Moves the monotonic clock. */
  readonly wait: (ms: number) => void;
  readonly look: (account: string, domain?: string) => Promise<ParentLook>;
}

function openLooks(lookup: ParentLookup | undefined, options: Partial<ParentLooksOptions> = {}): Scene {
  let elapsedMs = 0;
  const monotonic = { elapsedMs: () => elapsedMs };
  const looks = new ParentLooks({ lookup, clock, monotonic, shortestTurnMs: 0, ...options });
  onTestFinished(() => looks.close());
  return {
    looks,
    wait: (ms) => (elapsedMs += ms),
    look: (account, domain = 'example.com') => looks.look(account, nameOf(domain), domain),
  };
}

/** A parent zone with one server, and the names that it was asked for. */
async function startCounted(answer: Answerer): Promise<ParentLookup & { readonly asked: string[] }> {
  const asked: string[] = [];
  const counted: Answerer = (query, overTcp) => {
    asked.push(...query.questions.map(({ name }) => name));
    return answer(query, overTcp);
  };
  return { ...(await startParent({ zone: 'com', servers: { 'a.servers.net': counted } })), asked };
}

test('a look has the DS records of each server, and when it was made', async () => {
  const lookup = await startCounted(() => withDs('example.com'));
  expect(await openLooks(lookup).look('a')).toMatchObject({
    kind: 'asked',
    atMs,
    sight: { parent: 'com', servers: [{ name: 'a.servers.net', ds: [dsText] }] },
  });
});

test('a look is kept for 30 seconds, for each domain', async () => {
  const lookup = await startCounted(() => withoutDs('com'));
  const { look, wait } = openLooks(lookup);
  const first = await look('a');
  wait(29_999);
  expect(await look('a')).toBe(first);
  await look('a', 'example.net.com');
  wait(1);
  await look('a');
  expect(lookup.asked).toEqual(['example.com', 'example.net.com', 'example.com']);
});

test('requests for a domain at the same time share one look-up', async () => {
  const lookup = await startCounted(() => withoutDs('com'));
  const { look } = openLooks(lookup);
  const [first, second] = await Promise.all([look('a'), look('a')]);
  expect(second).toBe(first);
  expect(lookup.asked).toEqual(['example.com']);
});

test('an account has one look-up at a time, and another account does not wait for it', async () => {
  let answerSlow: () => void = () => undefined;
  const lookup = await startCounted(({ questions }) => {
    if (questions[0].name !== 'slow.com') return withoutDs('com');
    answerSlow();
    return undefined;
  });
  const { look, looks } = openLooks(lookup);
  const begun = new Promise<void>((resolve) => (answerSlow = resolve));
  const slow = look('a', 'slow.com');
  await begun;
  const waiting = look('a', 'second.com');
  await look('b', 'other.com');
  expect(lookup.asked).not.toContain('second.com');
  looks.close();
  await Promise.all([slow, waiting]);
});

test('too many look-ups of an account say so, and are not kept', async () => {
  const lookup = await startCounted(() => 'silence');
  const { look, looks } = openLooks(lookup);
  const all = Array.from({ length: 6 }, (_, i) => look('a', `d${i}.com`));
  expect(await all[5]).toEqual({
    kind: 'unknown',
    isBusy: true,
    reason: expect.stringMatching(/ask again/) as string,
  });
  looks.close();
  await Promise.all(all);
});

test('at the deadline the servers that have answered are shown, and the others as timeouts', async () => {
  const lookup = await startParent({
    zone: 'com',
    servers: { 'a.servers.net': () => withDs('example.com'), 'b.servers.net': () => 'silence' },
  });
  const found = await openLooks({ ...lookup, timeoutMs: 60_000 }, { deadlineMs: 500 }).look('a');
  expect(found).toMatchObject({
    sight: {
      servers: [
        { name: 'a.servers.net', ds: [dsText] },
        { name: 'b.servers.net', problem: { kind: 'timeout', message: 'it did not answer in time' } },
      ],
    },
  });
});

test('a silent resolver is a reason, and no error', async () => {
  const resolver = await startNameserver(() => 'silence');
  const lookup = { resolvers: [resolver], privateServers: [], timeoutMs: 60_000 };
  expect(await openLooks(lookup, { deadlineMs: 50 }).look('a')).toEqual({
    kind: 'unknown',
    reason: 'the parent zone could not be found: it did not answer in time',
  });
});

test('a server at a private address is asked only if it is listed', async () => {
  const lookup = await startCounted(() => withDs('example.com'));
  const { look } = openLooks({ ...lookup, privateServers: [] });
  expect(await look('a')).toMatchObject({ sight: { servers: [{ problem: { kind: 'no_address' } }] } });
  expect(lookup.asked).toEqual([]);
});

test('without resolvers nobody is asked', async () => {
  const found = await openLooks(undefined).look('a');
  expect(found).toMatchObject({
    kind: 'unknown',
    reason: expect.stringMatching(/asks no resolver/) as string,
  });
});
