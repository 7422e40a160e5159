import { expect, onTestFinished, test } from 'vitest';
import { createAccount, createDomain, expectCode } from '../harness/fixtures.ts';
import { Browser, invite, linkToken, newOwner, PASSWORD, type Send } from '../harness/people.ts';
import { startForFile, startService } from '../harness/service.ts';

/* Rule 77: people sign in, and their sessions. */

const service = await startForFile();

async function signIn(email: string, password = PASSWORD) {
  const browser = new Browser(service);
  const reply = await browser.send('POST', '/v2/session', { email, password });
  return { browser, reply };
}

const asAdmin: Send = (method, path, body) => service.http.request(method, path, body);

const sessionOf = ({ json }: { json: object }) => json as unknown as SessionReply;

interface SessionReply {
  readonly session: { readonly id: string; readonly current: boolean };
  readonly sessions: readonly { readonly id: string; readonly current: boolean }[];
  readonly user: { readonly id: string; readonly email: string; readonly operator: boolean };
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly role: string }[];
}

test('rule 77: a link makes an owner, who then manages domains with a session and without a key', async () => {
  const token = await linkToken(service);
  const browser = new Browser(service);
  const shown = await browser.send('POST', '/v2/invitation', { token });
  expect(shown.json).toMatchObject({
    invitation: { kind: 'invitation', email: null, account: 'Administrator', role: 'owner', operator: true },
  });
  const body = { token, email: ' Anna@Example.NET ', name: 'Anna', password: PASSWORD };
  const accepted = await browser.send('POST', '/v2/invitation/accept', body);
  expect(accepted.status, accepted.text).toBe(201);
  expect(accepted.headers['set-cookie']).toEqual([
    expect.stringMatching(/^zonewright=zws_[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Strict$/),
  ]);
  expect(sessionOf(accepted)).toMatchObject({
    user: { email: 'anna@example.net', name: 'Anna', operator: true },
    accounts: [{ name: 'Administrator', role: 'owner', grants: null }],
    session: { current: true, address: '127.0.0.1' },
  });
  expect(accepted.text).not.toMatch(/zws_|scrypt/);

  const created = await browser.send('POST', '/v2/domains', { domain: 'people.example' });
  expect(created.status, created.text).toBe(201);
  const { id } = sessionOf(accepted).user;
  const history = await service.http.get('/v2/domains/people.example/changes');
  expect(history.text).toContain(`"user:${id}"`);
  expect((await browser.send('DELETE', '/v2/domains/people.example')).status).toBe(204);

  const again = await new Browser(service).send('POST', '/v2/invitation/accept', {
    ...body,
    email: 'b@c.de',
  });
  expectCode(again, 404, 'unknown_invitation');
});

test('rule 77: a wrong password and an unknown user are refused alike, and then delayed', async () => {
  const { email } = await newOwner(service);
  const wrong = (await signIn(email, 'a wrong password')).reply;
  const unknown = (await signIn('nobody@example.net')).reply;
  expectCode(wrong, 403, 'invalid_login');
  expect(unknown.json).toEqual(wrong.json);
  expect(wrong.headers['set-cookie']).toBeUndefined();
  // At once: each takes as long as a password takes to hash.
  const replies = await Promise.all(Array.from({ length: 8 }, () => signIn('nobody@example.net')));
  const delayed = replies.map(({ reply }) => reply).filter(({ status }) => status === 429);
  expect(delayed).not.toEqual([]);
  expectCode(delayed[0], 429, 'login_delayed');
  expect(Number(delayed[0].headers['retry-after'])).toBeGreaterThan(0);
  expect((await signIn(email)).reply.status).toBe(201);
});

test('rule 77: a session that was ended is refused at once, everywhere it was used', async () => {
  const { browser, email } = await newOwner(service);
  const other = await signIn(email.toUpperCase());
  const list = sessionOf(await browser.send('GET', '/v2/sessions')).sessions;
  expect(list.map(({ current }) => current)).toEqual([false, true]);
  const { cookie } = other.browser;
  expect((await browser.send('DELETE', `/v2/sessions/${list[0].id}`)).status).toBe(204);
  expectCode(await other.browser.send('GET', '/v2/session'), 403, 'invalid_key');
  expectCode(await browser.send('DELETE', `/v2/sessions/${list[0].id}`), 404, 'unknown_session');

  const third = await signIn(email);
  expect(third.browser.cookie).not.toBe(cookie);
  expect((await browser.send('DELETE', '/v2/sessions')).status).toBe(204);
  expect(browser.cookie).toBeUndefined();
  expectCode(await third.browser.send('GET', '/v2/session'), 403, 'invalid_key');
});

test('rule 77: a user sees and ends its own sessions only', async () => {
  const [one, two] = [await newOwner(service), await newOwner(service)];
  const { session } = sessionOf(await one.browser.send('GET', '/v2/session'));
  expectCode(await two.browser.send('DELETE', `/v2/sessions/${session.id}`), 404, 'unknown_session');
  expect((await one.browser.send('GET', '/v2/session')).status).toBe(200);
});

test('rule 77: signing in again ends the session that the browser had, and never takes one over', async () => {
  const { browser, email } = await newOwner(service);
  const before = browser.cookie;
  const reply = await browser.send('POST', '/v2/session', { email, password: PASSWORD });
  expect(reply.status).toBe(201);
  expect(browser.cookie).not.toBe(before);
  const fixed = new Browser(service);
  fixed.cookie = before;
  expectCode(await fixed.send('GET', '/v2/session'), 403, 'invalid_key');
  expect((await browser.send('GET', '/v2/session')).status).toBe(200);
});

test('rule 77: pages of other origins cannot use a session, and writes must say where they come from', async () => {
  const { browser } = await newOwner(service);
  const own = `http://${service.httpAddress}`;
  const cases: readonly [method: string, headers: Readonly<Record<string, string>>, status: number][] = [
    ['GET', { 'sec-fetch-site': 'cross-site' }, 403],
    ['GET', { 'sec-fetch-site': 'same-site' }, 403],
    ['GET', { 'sec-fetch-site': 'none' }, 200],
    ['POST', { 'sec-fetch-site': 'cross-site', origin: own }, 403],
    ['POST', { 'sec-fetch-site': 'none' }, 403],
    ['POST', { 'sec-fetch-site': 'same-origin', origin: own }, 200],
  ];
  for (const [method, headers, status] of cases) {
    const path = method === 'GET' ? '/v2/domains' : '/v2/domains?dry_run=true';
    const body = method === 'GET' ? undefined : { domain: 'dry.example' };
    const reply = await browser.send(method, path, body, headers);
    expect(reply.status, JSON.stringify([method, headers, reply.json])).toBe(status);
    if (status === 403) expectCode(reply, 403, 'cross_site');
  }
  const { cookie = '' } = browser;
  const withoutSite = (headers: Record<string, string>) =>
    service.http.post('/v2/domains?dry_run=true', { domain: 'dry.example' }, { key: null, headers });
  expectCode(await withoutSite({ cookie }), 403, 'cross_site');
  expectCode(await withoutSite({ cookie, origin: 'http://evil.example' }), 403, 'cross_site');
  expectCode(await withoutSite({ cookie, origin: 'null' }), 403, 'cross_site');
  expect((await withoutSite({ cookie, origin: own })).status).toBe(200);
});

test('rule 77: nobody signs in from another site, nor over plain HTTP by a name that is not local', async () => {
  const { email } = await newOwner(service);
  const attempt = (headers: Record<string, string>) =>
    service.http.post('/v2/session', { email, password: PASSWORD }, { key: null, headers });
  expectCode(await attempt({ 'sec-fetch-site': 'cross-site' }), 403, 'cross_site');
  expectCode(await attempt({ host: 'dns.example.net' }), 403, 'insecure_login');
  expect((await attempt({})).status).toBe(201);
});

test('rule 77: a key cannot use what is for users, and is sent on purpose where a session is there as well', async () => {
  expectCode(await service.http.get('/v2/session'), 403, 'forbidden');
  const { browser } = await newOwner(service);
  const account = await createAccount(service);
  const headers = { cookie: browser.cookie ?? '' };
  const [own, other] = [
    await browser.send('GET', '/v2/account'),
    await account.http.get('/v2/account', { headers }),
  ];
  expect(own.json.account?.name).toBe('Administrator');
  expect(other.json.account?.name).not.toBe('Administrator');
});

test('rule 77: a new password ends all other sessions, and needs a fresh proof', async () => {
  const { browser, email } = await newOwner(service);
  const other = await signIn(email);
  const password = 'quite another password';
  expectCode(await browser.send('PATCH', '/v2/user', { password: 'short' }), 400, 'invalid_request');
  expect((await browser.send('PATCH', '/v2/user', { password })).status).toBe(200);
  expectCode(await other.browser.send('GET', '/v2/session'), 403, 'invalid_key');
  expect((await browser.send('GET', '/v2/session')).status).toBe(200);
  expectCode((await signIn(email)).reply, 403, 'invalid_login');
  expect((await signIn(email, password)).reply.status).toBe(201);
  const confirmed = await browser.send('POST', '/v2/session/confirm', { password });
  expect(confirmed.status, confirmed.text).toBe(200);
  expectCode(await browser.send('POST', '/v2/session/confirm', { password: PASSWORD }), 403, 'invalid_login');
});

test('rule 77: a recovery link sets a new password once, and ends all sessions', async () => {
  const { browser, email } = await newOwner(service);
  const token = await linkToken(service, '--email', email);
  const recovering = new Browser(service);
  const shown = await recovering.send('POST', '/v2/invitation', { token });
  expect(shown.json).toMatchObject({ invitation: { kind: 'recovery', email, account: null } });
  const body = { token, password: 'a recovered password' };
  expect((await recovering.send('POST', '/v2/invitation/accept', body)).status).toBe(201);
  expectCode(await browser.send('GET', '/v2/session'), 403, 'invalid_key');
  expectCode((await signIn(email)).reply, 403, 'invalid_login');
  expectCode(await recovering.send('POST', '/v2/invitation/accept', body), 404, 'unknown_invitation');
});

test('rule 77: a user of another account sees nothing of this one', async () => {
  const { browser } = await newOwner(service);
  const account = await createAccount(service);
  const domain = await createDomain(account);
  expectCode(await browser.send('GET', `/v2/domains/${domain}`), 404, 'unknown_domain');
  browser.account = account.id;
  expectCode(await browser.send('GET', `/v2/domains/${domain}`), 404, 'unknown_account');
});

test('rule 77: behind HTTPS, the cookie is one that no neighbouring host can set', async () => {
  const secure = await startService({ settings: { ZONEWRIGHT_PUBLIC_URL: 'https://dns.example.net' } });
  onTestFinished(() => secure.stop().then(() => undefined));
  const headers = { host: 'dns.example.net', 'sec-fetch-site': 'same-origin' };
  const token = await linkToken(secure);
  const body = { token, email: 'anna@example.net', name: 'Anna', password: PASSWORD };
  const reply = await secure.http.post('/v2/invitation/accept', body, { key: null, headers });
  expect(reply.status, reply.text).toBe(201);
  const [cookie = ''] = reply.headers['set-cookie'] ?? [];
  expect(cookie).toMatch(
    /^__Host-zonewright=zws_[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
  );
  const [pair] = cookie.split(';');
  const ask = (sent: string) =>
    secure.http.get('/v2/session', { key: null, headers: { ...headers, cookie: sent } });
  expect((await ask(pair)).status).toBe(200);
  expectCode(await ask(pair.replace('__Host-', '')), 403, 'invalid_key');
  expectCode(await ask(`${pair}; ${pair}`), 403, 'invalid_key');
});

test('rule 77: nobody makes itself an operator or another user by members that a body does not have', async () => {
  const token = await invite(asAdmin, { role: 'viewer', email: 'mass@example.net' });
  const browser = new Browser(service);
  const extra = { operator: true, isOperator: true, is_operator: true, role: 'owner', grants: null, id: 'x' };
  const body = { token, name: 'Mass', password: PASSWORD, ...extra };
  const accepted = await browser.send('POST', '/v2/invitation/accept', body);
  expect(accepted.status, accepted.text).toBe(201);
  const changed = await browser.send('PATCH', '/v2/user', {
    name: 'Mass',
    ...extra,
    email: 'root@example.net',
  });
  expect(changed.json).toMatchObject({ user: { email: 'mass@example.net', operator: false } });
  const shown = sessionOf(await browser.send('GET', '/v2/session'));
  expect(shown).toMatchObject({ user: { operator: false }, accounts: [{ role: 'viewer' }] });
});

test('rule 77: of two people who use one link at the same time, one gets in', async () => {
  const token = await invite(asAdmin, { role: 'viewer' });
  const replies = await Promise.all(
    ['one', 'two', 'three'].map((name) =>
      new Browser(service).send('POST', '/v2/invitation/accept', {
        ...{ token, name, password: PASSWORD },
        email: `race-${name}@example.net`,
      }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 404, 404]);
});

test('rule 77: a link that was changed in one character opens nothing', async () => {
  const token = await invite(asAdmin, { role: 'viewer' });
  for (const at of [4, 20, token.length - 1]) {
    const other = token[at] === 'A' ? 'B' : 'A';
    const changed = token.slice(0, at) + other + token.slice(at + 1);
    const reply = await new Browser(service).send('POST', '/v2/invitation', { token: changed });
    expectCode(reply, 404, 'unknown_invitation');
  }
  expect((await new Browser(service).send('POST', '/v2/invitation', { token })).status).toBe(200);
});
