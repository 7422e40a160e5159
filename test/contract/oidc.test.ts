import { expect, test } from 'vitest';
import type { TrailEntryJson } from '../../src/contract/trail-shape.ts';
import { expectCode } from '../harness/fixtures.ts';
import type { HttpReply } from '../harness/http-client.ts';
import { ProviderVisit } from '../harness/openid-provider.ts';
import { openOpenIdScene } from '../harness/openid-scene.ts';
import { Browser, linkToken, newOwner, PASSWORD, type Send } from '../harness/people.ts';

/* Rule 80: signing in with OpenID Connect, at a real provider beside the tests. */

const { provider, service, newLogin, begin, comeBack, goThrough, newLinkedOwner, signIn } =
  await openOpenIdScene();

function expectPage(reply: HttpReply, status: number, sentence: RegExp): void {
  expect([reply.status, reply.headers['content-type']], reply.text).toEqual([
    status,
    'text/html; charset=utf-8',
  ]);
  expect(reply.text).toMatch(sentence);
  expect(reply.headers['set-cookie']).toEqual([
    'zonewright-oidc=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
  ]);
}

test('rule 80: a user links an identity, and signs in with it', async () => {
  const { email, login, browser: before } = await newLinkedOwner();
  const shown = await before.send('GET', '/v2/user/oidc');
  expect(shown.json).toMatchObject({ identities: [{ issuer: provider.issuer, subject: login }] });
  const { reply, browser, url } = await signIn(login, { next: '/domains?page=2#top' });
  expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256');
  expect([reply.status, reply.headers.location]).toEqual([303, '/domains?page=2#top']);
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.headers['set-cookie']).toEqual([
    expect.stringMatching(/^zonewright=zws_[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Strict$/),
    'zonewright-oidc=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
  ]);
  expect((await browser.send('GET', '/v2/session')).json).toMatchObject({ user: { email } });
  const fresh = await browser.send('PATCH', '/v2/user', { name: 'Olga' });
  expect(fresh.status, fresh.text).toBe(200);

  // Signing in again ends the session that the browser had.
  const former = new Browser(service);
  former.cookie = browser.cookie;
  expect((await signIn(login, {}, browser)).reply.status).toBe(303);
  expectCode(await former.send('GET', '/v2/session'), 403, 'invalid_key');
  expect((await browser.send('GET', '/v2/session')).status).toBe(200);
});

test('rules 80 and 82: the trail names the provider of a log-in, of an identity and of a failure', async () => {
  const { browser, login } = await newLinkedOwner();
  await signIn(login);
  expect((await signIn(newLogin())).reply.status).toBe(403);
  const { issuer } = provider;
  const detailsOf = async (send: Send, query: string) => {
    const { json, text } = await send('GET', `/v2/trail?per_page=500&${query}`);
    const { trail } = json as unknown as { trail?: readonly TrailEntryJson[] };
    expect(trail, text).toBeDefined();
    return (trail ?? []).map(({ detail }) => detail);
  };
  const send: Send = (method, path) => browser.send(method, path);
  const proof = `OpenID Connect at ${issuer}`;
  expect(await detailsOf(send, 'action=session.create')).toContainEqual({ with: proof });
  expect(await detailsOf(send, 'action=user.link')).toContainEqual({ issuer, subject: login });
  const failures = () => detailsOf(send, 'action=session.refuse&account=all');
  await expect.poll(failures).toContainEqual({ with: proof });
});

test('rule 80: the service tells whether there is a provider', async () => {
  const shown = await new Browser(service).send('GET', '/v2/session/oidc');
  expect(shown.json).toEqual({ oidc: { name: 'Test Login' } });
});

test('rule 80: an identity that nobody has linked signs nobody in, even with the e-mail address of a user', async () => {
  const { email } = await newOwner(service);
  for (const isVerified of [true, false]) {
    const { reply, browser } = await signIn(newLogin({ email, isVerified }));
    expectPage(reply, 403, /No user signs in with this identity; sign in another way, and link it/);
    expect(browser.cookie).toBeUndefined();
  }
});

test('rule 80: an identity signs in one user, who unlinks it only with another way to sign in', async () => {
  const { browser, login } = await newLinkedOwner();
  const other = await newOwner(service);
  const taken = await goThrough(other.browser, '/v2/user/oidc/start', login);
  expectPage(taken.reply, 409, /signs in another user/);
  const second = await goThrough(browser, '/v2/user/oidc/start', newLogin());
  expectPage(second.reply, 409, /unlink it first/);
  expect((await browser.send('DELETE', '/v2/user/oidc')).status).toBe(204);
  expectCode(await browser.send('DELETE', '/v2/user/oidc'), 404, 'unknown_factor');
  expectPage((await signIn(login)).reply, 403, /No user/);
  expect((await goThrough(other.browser, '/v2/user/oidc/start', login)).reply.status).toBe(303);
});

test('rule 80: an invitation makes a user without a password, whose last way in stays', async () => {
  const login = newLogin();
  const browser = new Browser(service);
  const token = await linkToken(service);
  const { reply } = await goThrough(browser, '/v2/invitation/oidc/start', login, { token, next: '/welcome' });
  expect([reply.status, reply.headers.location], reply.text).toEqual([303, '/welcome']);
  const session = await browser.send('GET', '/v2/session');
  expect(session.json).toMatchObject({
    user: { email: `${login}@provider.example`, name: 'Petra Provider' },
    accounts: [{ role: 'owner' }],
  });
  expectCode(await browser.send('DELETE', '/v2/user/oidc'), 409, 'factor_conflict');
  expect((await signIn(login)).reply.status).toBe(303);
  const again = await browser.send('POST', '/v2/invitation/oidc/start', { token });
  expectCode(again, 404, 'unknown_invitation');
});

test('rule 80: an invitation needs an address that the provider has verified, and that no user has', async () => {
  const token = await linkToken(service);
  const { email } = await newOwner(service);
  const cases: readonly [Parameters<typeof newLogin>[0], number, RegExp][] = [
    [{ isVerified: false }, 403, /has verified your e-mail address/],
    [{ email }, 409, /There is a user with your e-mail address: sign in another way/],
  ];
  for (const [fields, status, sentence] of cases) {
    const browser = new Browser(service);
    const path = '/v2/invitation/oidc/start';
    const { reply } = await goThrough(browser, path, newLogin(fields), { token });
    expectPage(reply, status, sentence);
    expect(browser.cookie).toBeUndefined();
  }
  const unused = await new Browser(service).send('POST', '/v2/invitation', { token });
  expect(unused.status).toBe(200);
  const recovery = await linkToken(service, '--email', email);
  const refused = await new Browser(service).send('POST', '/v2/invitation/oidc/start', { token: recovery });
  expectCode(refused, 400, 'invalid_request');
});

test('rule 80: a log-in is good once, in the browser that began it, and with its own state', async () => {
  const { login } = await newLinkedOwner();
  const { address, cookie, reply } = await signIn(login);
  expect(reply.status).toBe(303);
  const stranger = new Browser(service);
  expectPage(await comeBack(stranger, address, cookie), 403, /not accepted/);
  const begun = await begin(stranger, '/v2/session/oidc/start');
  const fresh = await new ProviderVisit(provider).signIn(begun.url, login);
  expectPage(await comeBack(stranger, fresh, undefined), 403, /began in another browser/);
  expectPage(await comeBack(stranger, fresh, `${begun.cookie}x`), 403, /began in another browser/);
  expectPage(await comeBack(stranger, fresh, cookie), 403, /not accepted/);
  const url = new URL(fresh);
  url.searchParams.set('state', 'x'.repeat(43));
  expectPage(await comeBack(stranger, url.href, begun.cookie), 403, /not accepted/);
  url.search = '?error=access_denied&error_description=%3Cscript%3E';
  url.searchParams.set('state', new URL(fresh).searchParams.get('state') ?? '');
  url.searchParams.set('iss', provider.issuer);
  const denied = await comeBack(stranger, url.href, begun.cookie);
  expectPage(denied, 403, /has answered access_denied/);
  expect(denied.text).not.toContain('<script>');
  expect(stranger.cookie).toBeUndefined();
  expect((await comeBack(stranger, fresh, begun.cookie)).status).toBe(303);
});

test('rule 80: an ID token or a code that was made for another log-in is refused', async () => {
  const { login } = await newLinkedOwner();
  for (const name of ['nonce', 'code_challenge']) {
    const browser = new Browser(service);
    const { url, cookie } = await begin(browser, '/v2/session/oidc/start');
    const altered = new URL(url);
    altered.searchParams.set(name, 'y'.repeat(43));
    const address = await new ProviderVisit(provider).signIn(altered.href, login);
    expectPage(await comeBack(browser, address, cookie), 403, /not accepted/);
    expect(browser.cookie, name).toBeUndefined();
  }
});

test('rule 80: the provider confirms a session only if it has asked the user again', async () => {
  const { browser, login } = await newLinkedOwner();
  const { reply, url } = await goThrough(browser, '/v2/session/oidc/confirm', login);
  expect(reply.status, reply.text).toBe(303);
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({ prompt: 'login', max_age: '0' });
  const begun = await begin(browser, '/v2/session/oidc/confirm');
  const altered = new URL(begun.url);
  altered.searchParams.delete('prompt');
  altered.searchParams.delete('max_age');
  const address = await new ProviderVisit(provider).signIn(altered.href, login);
  expectPage(await comeBack(browser, address, begun.cookie), 403, /not accepted/);
  const foreign = await goThrough(browser, '/v2/session/oidc/confirm', newLogin());
  expectPage(foreign.reply, 403, /No user/);
});

test('rule 80: the browser comes back to a page of the service, and never to another site', async () => {
  const browser = new Browser(service);
  const elsewhere = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/a\\b',
    '/a\r\nSet-Cookie: a=b',
    'javascript:alert(1)',
    'domains',
    '',
    `/${'x'.repeat(500)}`,
  ];
  for (const next of elsewhere) {
    const reply = await browser.send('POST', '/v2/session/oidc/start', { next });
    expectCode(reply, 400, 'invalid_request');
    expect(reply.json.field, next).toBe('next');
  }
});

test('rule 80: another site cannot begin a log-in, and a user links an identity only after a fresh proof', async () => {
  const site = { 'sec-fetch-site': 'cross-site' };
  const crossed = await new Browser(service).send('POST', '/v2/session/oidc/start', {}, site);
  expectCode(crossed, 403, 'cross_site');
  expectCode(await new Browser(service).send('POST', '/v2/user/oidc/start', {}), 403, 'invalid_key');
});

test('rule 80: while the provider is away, its log-ins are 503, and all others work', async () => {
  const { email, login } = await newLinkedOwner();
  const { url, cookie } = await begin(new Browser(service), '/v2/session/oidc/start');
  const address = await new ProviderVisit(provider).signIn(url, login);
  provider.isAway = true;
  try {
    const reply = await comeBack(new Browser(service), address, cookie);
    expectPage(reply, 503, /Test Login cannot be used at the moment/);
    expect(reply.headers['retry-after']).toBe('30');
    const signedIn = await new Browser(service).send('POST', '/v2/session', { email, password: PASSWORD });
    expect(signedIn.status).toBe(201);
  } finally {
    provider.isAway = false;
  }
});
