import { expect, test } from 'vitest';
import type { SessionJson } from '../../src/contract/session-shape.ts';
import { expectCode } from '../harness/fixtures.ts';
import { ProviderVisit } from '../harness/openid-provider.ts';
import { openOpenIdScene } from '../harness/openid-scene.ts';
import { Browser } from '../harness/people.ts';

/* Rules 77 and 80: a log-in at a provider proves who somebody is as of the time at which the provider has asked. */

const { provider, service, begin, comeBack, goThrough, newLinkedOwner, signIn } = await openOpenIdScene();

/** A browser whose person signed in at the provider so long ago. */
async function visitedEarlier(login: string, seconds: number): Promise<ProviderVisit> {
  const visit = new ProviderVisit(provider);
  await signIn(login, {}, undefined, visit);
  await visit.age(seconds);
  return visit;
}

/** Seconds from the beginning of the session. */
async function freshSeconds(browser: Browser): Promise<number> {
  const { session } = (await browser.send('GET', '/v2/session')).json as unknown as { session: SessionJson };
  return (Date.parse(session.date_fresh) - Date.parse(session.date_created)) / 1000;
}

/** Needs a fresh proof. */
const rename = (browser: Browser) => browser.send('PATCH', '/v2/user', { name: 'Olga' });

test('rule 80: a log-in with an old session of the provider is not fresh until the provider has asked again', async () => {
  const { login } = await newLinkedOwner();
  const visit = await visitedEarlier(login, 3600);
  const { browser, reply, url } = await signIn(login, {}, undefined, visit);
  expect(reply.status, reply.text).toBe(303);
  // Nobody is asked more often, but the provider has to say when it was.
  expect(new URL(url).searchParams.get('max_age')).toBe('31536000');
  expect(await freshSeconds(browser)).toBe(0);
  expectCode(await rename(browser), 403, 'confirmation_required');
  expectCode(await browser.send('POST', '/v2/user/oidc/start', {}), 403, 'confirmation_required');
  const confirmed = await goThrough(browser, '/v2/session/oidc/confirm', login, {}, visit);
  expect(confirmed.reply.status, confirmed.reply.text).toBe(303);
  expect((await rename(browser)).status).toBe(200);
});

test('rule 80: a log-in is fresh for the rest of ten minutes since the provider has asked', async () => {
  const { login } = await newLinkedOwner();
  const now = await signIn(login);
  expect((await rename(now.browser)).status).toBe(200);
  const visit = await visitedEarlier(login, 300);
  const { browser } = await signIn(login, {}, undefined, visit);
  expect((await rename(browser)).status).toBe(200);
  const seconds = await freshSeconds(browser);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(300);
});

test('rule 80: a log-in is not fresh if the provider does not say when it has asked', async () => {
  const { login } = await newLinkedOwner();
  const browser = new Browser(service);
  const { url, cookie } = await begin(browser, '/v2/session/oidc/start');
  const silent = new URL(url);
  silent.searchParams.delete('max_age');
  const address = await new ProviderVisit(provider).signIn(silent.href, login);
  expect((await comeBack(browser, address, cookie)).status).toBe(303);
  expect(await freshSeconds(browser)).toBe(0);
  expectCode(await rename(browser), 403, 'confirmation_required');
});

test.each([
  ['long ago', 3600, /not accepted/],
  ['before the proof was begun', 300, /has not asked you again/],
])(
  'rule 80: a provider that asks nobody again confirms no session: it has asked %s',
  async (_, seconds, sentence) => {
    const { login } = await newLinkedOwner();
    const visit = await visitedEarlier(login, seconds);
    const { browser } = await signIn(login, {}, undefined, visit);
    const before = await freshSeconds(browser);
    const { url, cookie } = await begin(browser, '/v2/session/oidc/confirm');
    const ignored = new URL(url);
    ignored.searchParams.delete('prompt');
    ignored.searchParams.set('max_age', '31536000');
    const reply = await comeBack(browser, await visit.signIn(ignored.href, login), cookie);
    expect([reply.status, reply.text]).toEqual([403, expect.stringMatching(sentence)]);
    expect(await freshSeconds(browser)).toBe(before);
  },
);
