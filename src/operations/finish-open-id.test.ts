import { afterAll, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { FRESH_SECONDS } from '../model/user.ts';
import { connectProvider } from '../oidc/connect-provider.ts';
import { CLIENT_ID, startTestProvider } from '../oidc/provider.test-support.ts';
import { must, openFactorScene, sender } from './factor-scene.test-support.ts';
import { finishOpenId } from './finish-open-id.ts';
import { openOpenIdTerms, sealLogin, type OpenIdPurpose } from './open-id-terms.ts';
import { authorOf } from './open-session.ts';

const { times, context: shared, newUser } = await openFactorScene();
// The library that checks ID tokens has the clock of the machine.
times.nowMs = Math.floor(Date.now() / 1000) * 1000;
const nowSeconds = times.nowMs / 1000;

const secrets = { state: 's'.repeat(43), nonce: 'n'.repeat(43), codeVerifier: 'v'.repeat(43) };
const server = await startTestProvider(secrets.nonce);
afterAll(() => server.close());
const { issuer } = server;
const redirectUrl = 'https://dns.example.net/sign-in/oidc';
const settings = { issuer, clientId: CLIENT_ID, clientSecret: 'secret', name: 'Test', redirectUrl };
const terms = openOpenIdTerms(connectProvider(settings, shared.monotonic, silentLog), 'secret');
const context = { ...shared, openId: terms };

const { user, session } = (await newUser()).signedIn!;
const identity = { issuer, subject: '7' };
const ofUser = { author: authorOf(context, user, sender), userId: user.id, sessionId: session.id };
must(await context.store.write({ kind: 'linkIdentity', ...ofUser, identity, atSeconds: nowSeconds }));

/** @param claims what the ID token says of the time at which the provider has asked */
function comeBack(purpose: OpenIdPurpose, claims: { readonly auth_time?: number }) {
  server.claims = claims;
  const isConfirming = purpose === 'confirm';
  const ids = isConfirming ? { userId: user.id, sessionId: session.id } : { userId: null, sessionId: null };
  const login = { ...secrets, ...ids, purpose, mustProve: isConfirming, startedAtSeconds: nowSeconds };
  const sealed = sealLogin(terms, { ...login, next: '/', invitation: null });
  return finishOpenId(context, { sealed, query: `code=c&state=${secrets.state}` }, sender);
}

test.each([
  ['nothing', undefined, 0],
  ['in 1970', 0, 0],
  ['an hour ago', nowSeconds - 3600, 0],
  ['just too long ago', nowSeconds - FRESH_SECONDS, 0],
  ['five minutes ago', nowSeconds - 300, FRESH_SECONDS - 300],
  ['with a fraction', nowSeconds - 299.5, FRESH_SECONDS - 300],
  ['now', nowSeconds, FRESH_SECONDS],
  ['now, by a clock that is ahead', nowSeconds + 60, FRESH_SECONDS],
])('a log-in is fresh as of the time at which the provider has asked: %s', async (_, auth_time, seconds) => {
  const { opened } = must(await comeBack('sign-in', auth_time === undefined ? {} : { auth_time }));
  expect(opened?.session.freshUntilSeconds).toBe(nowSeconds + seconds);
});

test.each(['sign-in', 'confirm'] as const)(
  'a provider that has asked in the future is not believed: %s',
  async (purpose) => {
    // One of these is a time in milliseconds.
    for (const auth_time of [nowSeconds + 61, times.nowMs])
      expect(await comeBack(purpose, { auth_time })).toMatchObject({ refusal: { code: 'invalid_login' } });
  },
);

test('a proof at the provider is fresh as of the same time', async () => {
  must(await comeBack('confirm', { auth_time: nowSeconds - 30 }));
  const [shown] = await context.store.people.find('sessions', 'id', [session.id]);
  expect(shown.freshUntilSeconds).toBe(nowSeconds + FRESH_SECONDS - 30);
  expect(await comeBack('confirm', { auth_time: nowSeconds - 61 })).toMatchObject({
    refusal: { code: 'invalid_login' },
  });
  expect(await comeBack('confirm', {})).toMatchObject({ refusal: { code: 'invalid_login' } });
});
