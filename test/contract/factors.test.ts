import { createHmac } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import type { FactorsJson, RegisterOptionsJson, SignOptionsJson } from '../../src/contract/factor-shape.ts';
import { createClient } from '../../src/client/zonewright-client.ts';
import {
  SoftwareAuthenticator,
  type Misbehaviour,
} from '../../src/credentials/software-authenticator.test-support.ts';
import { expectCode } from '../harness/fixtures.ts';
import type { HttpReply } from '../harness/http-client.ts';
import { Browser, invite, linkToken, newOwner, PASSWORD } from '../harness/people.ts';
import { startForFile, startService, type Service } from '../harness/service.ts';

/* Rule 79: passkeys, one-time codes and recovery codes. */

const service = await startForFile({ ZONEWRIGHT_DNSSEC_SECRET: 'for-tests-only-for-tests-only-1234' });
const host = service.httpAddress.replace('127.0.0.1', 'localhost');
const site = { origin: `http://${host}`, rpId: 'localhost' };

interface FactorReply {
  readonly options: RegisterOptionsJson & SignOptionsJson;
  readonly factors: FactorsJson;
  readonly passkey: FactorsJson['passkeys'][number];
  readonly one_time_code: { readonly secret: string; readonly uri: string };
  readonly recovery_codes: readonly string[];
}

const replyOf = ({ json }: HttpReply) => json as unknown as FactorReply;

/** As the page does that the user sees under the name of the service. */
function send(browser: Browser, method: string, path: string, body?: unknown): Promise<HttpReply> {
  return browser.send(method, path, body, { host, origin: site.origin });
}

async function must(status: number, request: Promise<HttpReply>): Promise<FactorReply> {
  const reply = await request;
  expect(reply.status, reply.text).toBe(status);
  return replyOf(reply);
}

function factorsOf(browser: Browser): Promise<FactorsJson> {
  return must(200, send(browser, 'GET', '/v2/user/factors')).then(({ factors }) => factors);
}

function credentialOf({ id, ...response }: { readonly id: string }) {
  return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
}

/** Registers a passkey of a new device. */
async function addPasskey(browser: Browser, name: string, device = new SoftwareAuthenticator()) {
  const { options } = await must(200, send(browser, 'POST', '/v2/user/passkeys/start'));
  const sent = device.register(
    { challenge: options.challenge, userHandle: fromBase64url(options.user.id) },
    site,
  );
  const body = { name, credential: credentialOf(sent) };
  const { passkey } = await must(201, send(browser, 'POST', '/v2/user/passkeys', body));
  return { device, passkey, body, options };
}

function fromBase64url(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}

async function challengeOf(browser: Browser): Promise<string> {
  const { options } = await must(200, send(browser, 'POST', '/v2/session/passkey/start'));
  return options.challenge;
}

async function signInWith(device: SoftwareAuthenticator, wrong: Misbehaviour = {}) {
  const browser = new Browser(service);
  const credential = credentialOf(device.sign(await challengeOf(browser), site, wrong));
  const reply = await send(browser, 'POST', '/v2/session/passkey', { credential });
  return { browser, credential, reply };
}

function signIn(email: string, code?: string, password = PASSWORD): Promise<HttpReply> {
  return send(new Browser(service), 'POST', '/v2/session', { email, password, code });
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of an app (RFC 6238), so many steps from now. */
function codeOf(secret: string, step: number): string {
  const bits = Array.from(secret, (digit) => BASE32.indexOf(digit).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)!.map((octet) => parseInt(octet, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const value = mac.readUInt32BE(mac[19] & 15) & 0x7fffffff;
  return String(value % 1_000_000).padStart(6, '0');
}

/** The codes of this step and of the next one are both good for half a minute at least. */
function newStep(): number {
  return Math.floor(Date.now() / 30_000);
}

/** Sets up one-time codes; returns the next code of the app, and the recovery codes. */
async function setUpCodes(browser: Browser) {
  const { one_time_code } = await must(201, send(browser, 'POST', '/v2/user/one_time_code'));
  const { secret } = one_time_code;
  const step = newStep();
  const used = codeOf(secret, step);
  const confirmation = send(browser, 'POST', '/v2/user/one_time_code/confirm', { code: used });
  const { recovery_codes } = await must(200, confirmation);
  return { ...one_time_code, used, next: codeOf(secret, step + 1), recovery: recovery_codes };
}

test('rule 79: a user without factors has a password', async () => {
  const { browser } = await newOwner(service);
  expect(await factorsOf(browser)).toEqual({
    password: true,
    passkeys: [],
    one_time_code: null,
    recovery_codes: 0,
  });
});

test('rule 79: with one-time codes, a log-in needs a code besides the password', async () => {
  const { browser, email } = await newOwner(service);
  const { uri, secret, used, next, recovery } = await setUpCodes(browser);
  expect(uri).toContain(`secret=${secret}`);
  expect(await factorsOf(browser)).toMatchObject({
    one_time_code: { date_created: expect.stringMatching(/^\d{4}-/) as string },
    recovery_codes: 10,
  });
  const asked = await signIn(email);
  expectCode(asked, 403, 'second_factor_required');
  expect(asked.headers['set-cookie']).toBeUndefined();
  // Nothing shows it to somebody who does not know the password.
  const wrong = [await signIn(email, next, 'a wrong password'), await signIn('nobody@example.net', next)];
  for (const reply of wrong) expect(reply.json).toEqual(wrong[0].json);
  expectCode(wrong[0], 403, 'invalid_login');
  expectCode(await signIn(email, used), 403, 'invalid_login');
  expect((await signIn(email, ` ${next.slice(0, 3)} ${next.slice(3)}`)).status).toBe(201);
  expectCode(await signIn(email, next), 403, 'invalid_login');
  expect((await signIn(email, recovery[0].toUpperCase())).status).toBe(201);
  expectCode(await signIn(email, recovery[0]), 403, 'invalid_login');
});

test('rule 79: of two log-ins at once with one recovery code, one succeeds', async () => {
  const { browser, email } = await newOwner(service);
  const { recovery } = await setUpCodes(browser);
  const replies = await Promise.all([signIn(email, recovery[3]), signIn(email, recovery[3])]);
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 403]);
  expect(await factorsOf(browser)).toMatchObject({ recovery_codes: 9 });
});

test('rule 79: of two invitations accepted at once with one code, one is, and the code is used up', async () => {
  const { browser, email } = await newOwner(service);
  const { recovery, next } = await setUpCodes(browser);
  const tokens = await Promise.all(
    ['One', 'Two', 'Three'].map(async (name) => {
      const created = await service.http.post('/v2/accounts', { name, email: 'info@example.net' });
      const { account } = created.json as unknown as { account: { id: string } };
      return invite((...request) => service.http.request(...request), {
        email,
        role: 'viewer',
        account: account.id,
      });
    }),
  );
  const accept = (token: string, code: string) =>
    send(new Browser(service), 'POST', '/v2/invitation/accept', { token, email, password: PASSWORD, code });
  const replies = await Promise.all([accept(tokens[0], recovery[0]), accept(tokens[1], recovery[0])]);
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 403]);
  const [loser, left] = replies[0].status === 403 ? [replies[0], tokens[0]] : [replies[1], tokens[1]];
  expectCode(loser, 403, 'invalid_login');
  expect(await factorsOf(browser)).toMatchObject({ recovery_codes: 9 });
  expectCode(await signIn(email, recovery[0]), 403, 'invalid_login');
  // The loser's link is still good, and so is a code of the app, once.
  expect((await accept(left, next)).status).toBe(201);
  expectCode(await accept(tokens[2], next), 403, 'invalid_login');
});

test('rule 79: wrong codes are delayed as wrong passwords are', async () => {
  const { browser, email } = await newOwner(service);
  await setUpCodes(browser);
  // At once: each takes as long as a password takes to hash.
  const replies = await Promise.all(Array.from({ length: 8 }, () => signIn(email, '000000')));
  const [wrong, delayed] = [403, 429].map((status) => replies.filter((reply) => reply.status === status));
  expectCode(wrong[0], 403, 'invalid_login');
  expectCode(delayed[0], 429, 'login_delayed');
  expect(wrong).toHaveLength(5);
});

test('rule 79: a new secret replaces the former one only once it is confirmed', async () => {
  const { browser, email } = await newOwner(service);
  const former = await setUpCodes(browser);
  const { one_time_code: pending } = await must(201, send(browser, 'POST', '/v2/user/one_time_code'));
  const confirm = (code: string) => send(browser, 'POST', '/v2/user/one_time_code/confirm', { code });
  expectCode(await confirm(former.next), 403, 'invalid_login');
  expect((await signIn(email, former.next)).status).toBe(201);
  const { recovery_codes } = await must(200, confirm(codeOf(pending.secret, newStep())));
  expectCode(await confirm(codeOf(pending.secret, newStep())), 409, 'factor_conflict');
  expectCode(await signIn(email, former.recovery[0]), 403, 'invalid_login');
  expect((await signIn(email, recovery_codes[0])).status).toBe(201);
});

test('rule 79: recovery codes are replaced, and go with the one-time codes', async () => {
  const { browser, email } = await newOwner(service);
  const replace = () => send(browser, 'POST', '/v2/user/recovery_codes');
  expectCode(await replace(), 409, 'factor_conflict');
  const { recovery } = await setUpCodes(browser);
  const { recovery_codes } = await must(201, replace());
  expectCode(await signIn(email, recovery[0]), 403, 'invalid_login');
  expect((await signIn(email, recovery_codes[9])).status).toBe(201);
  const remove = () => send(browser, 'DELETE', '/v2/user/one_time_code');
  await must(204, remove());
  expectCode(await remove(), 404, 'unknown_factor');
  expect((await signIn(email)).status).toBe(201);
});

test('rule 79: a passkey signs in without an address, a password or a code', async () => {
  const { browser, email } = await newOwner(service);
  await setUpCodes(browser);
  const { device, passkey, options } = await addPasskey(browser, ' Laptop ');
  expect(options).toMatchObject({
    rp: { id: 'localhost' },
    user: { name: email },
    excludeCredentials: [],
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  expect(passkey).toMatchObject({
    credential_id: device.id,
    name: 'Laptop',
    transports: ['hybrid', 'internal'],
    date_used: null,
  });
  const { browser: other, reply } = await signInWith(device);
  expect(reply.status, reply.text).toBe(201);
  expect(reply.json).toMatchObject({ user: { email }, session: { current: true } });
  const [shown] = (await factorsOf(other)).passkeys;
  expect(shown).toMatchObject({ id: passkey.id, date_used: expect.stringMatching(/^\d{4}-/) as string });
  expect((await addPasskey(browser, 'Phone')).options.excludeCredentials).toMatchObject([{ id: device.id }]);
});

test('rule 79: a passkey with another origin or site, without its user, or a copy of it is refused', async () => {
  const { browser } = await newOwner(service);
  const { device } = await addPasskey(browser, 'Key');
  const elsewhere = (await signInWith(device, { origin: 'https://evil.example' })).reply;
  expectCode(elsewhere, 400, 'invalid_request');
  expect(elsewhere.json.error).toContain(site.origin);
  for (const wrong of [{ rpId: 'evil.example' }, { isUnverified: true }] as const)
    expectCode((await signInWith(device, wrong)).reply, 403, 'invalid_login');
  expect((await signInWith(device, { counter: 7 })).reply.status).toBe(201);
  for (const counter of [7, 6, 0])
    expectCode((await signInWith(device, { counter })).reply, 403, 'invalid_login');
  expect((await signInWith(device, { counter: 8 })).reply.status).toBe(201);
});

test('rule 79: a challenge is good once, for its purpose', async () => {
  const { browser } = await newOwner(service);
  const { device, body, passkey } = await addPasskey(
    browser,
    'Key',
    new SoftwareAuthenticator({ countsNothing: true }),
  );
  const first = await signInWith(device);
  expect(first.reply.status, first.reply.text).toBe(201);
  const { credential } = first;
  const again = (sent: unknown) =>
    send(new Browser(service), 'POST', '/v2/session/passkey', { credential: sent });
  expectCode(await again(credential), 403, 'invalid_login');
  const { options } = await must(200, send(browser, 'POST', '/v2/user/passkeys/start'));
  for (const challenge of [options.challenge, 'AAAA', 'A'.repeat(72)])
    expectCode(await again(credentialOf(device.sign(challenge, site))), 403, 'invalid_login');
  // The registration is not good a second time, nor for another user.
  const register = (by: Browser) => send(by, 'POST', '/v2/user/passkeys', body);
  expectCode(await register(browser), 409, 'factor_conflict');
  await addPasskey(browser, 'Another');
  await must(204, send(browser, 'DELETE', `/v2/user/passkeys/${passkey.id}`));
  expectCode(await register(browser), 403, 'invalid_login');
  expectCode(await register((await newOwner(service)).browser), 403, 'invalid_login');
});

test('rule 79: of two log-ins at once with one assertion, one succeeds', async () => {
  const { browser } = await newOwner(service);
  const { device } = await addPasskey(browser, 'Key', new SoftwareAuthenticator({ countsNothing: true }));
  const credential = credentialOf(device.sign(await challengeOf(browser), site));
  const replies = await Promise.all(
    [1, 2].map(() => send(new Browser(service), 'POST', '/v2/session/passkey', { credential })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 403]);
});

test('rule 79: nobody signs in as somebody else, by another user handle or passkey', async () => {
  const [one, two] = [await newOwner(service), await newOwner(service)];
  const { device } = await addPasskey(one.browser, 'One');
  const { device: other } = await addPasskey(two.browser, 'Two');
  const signed = device.sign(await challengeOf(one.browser), site);
  const { userHandle } = other.sign('AAAA', site);
  for (const changed of [
    { userHandle },
    { id: other.id, userHandle },
    { userHandle: '' },
    { userHandle: 'AAAA' },
  ]) {
    const credential = credentialOf({ ...signed, ...changed });
    const reply = await send(new Browser(service), 'POST', '/v2/session/passkey', { credential });
    expectCode(reply, 403, 'invalid_login');
  }
});

test('rule 79: passkeys are renamed and removed by their user only, and never the last way to sign in', async () => {
  const { browser, email } = await newOwner(service);
  const { browser: stranger } = await newOwner(service);
  const { device, passkey } = await addPasskey(browser, 'Key');
  const path = `/v2/user/passkeys/${passkey.id}`;
  for (const method of ['PATCH', 'DELETE'])
    expectCode(await send(stranger, method, path, { name: 'Mine' }), 404, 'unknown_factor');
  const renamed = await must(200, send(browser, 'PATCH', path, { name: 'Blue' }));
  expect(renamed.passkey).toEqual({ ...passkey, name: 'Blue' });
  for (const name of ['', ' ', 'x'.repeat(101), 'a\nb'])
    expectCode(await send(browser, 'PATCH', path, { name }), 400, 'invalid_request');
  const removePassword = (by: Browser) => send(by, 'DELETE', '/v2/user/password');
  expectCode(await removePassword(stranger), 409, 'factor_conflict');
  await must(204, removePassword(browser));
  expectCode(await signIn(email), 403, 'invalid_login');
  expect(await factorsOf(browser)).toMatchObject({ password: false });
  expectCode(await send(browser, 'DELETE', path), 409, 'factor_conflict');
  expect((await signInWith(device)).reply.status).toBe(201);
  await must(200, send(browser, 'PATCH', '/v2/user', { password: 'another good password' }));
  await must(204, send(browser, 'DELETE', path));
  expectCode((await signInWith(device)).reply, 403, 'invalid_login');
});

test('rule 79: a session is confirmed with the same proofs', async () => {
  const { browser, email } = await newOwner(service);
  const { browser: other } = await newOwner(service);
  const { device } = await addPasskey(browser, 'Key');
  const { device: foreign } = await addPasskey(other, 'Key');
  const { next, recovery } = await setUpCodes(browser);
  const confirm = (body: unknown) => send(browser, 'POST', '/v2/session/confirm', body);
  const signed = async (by: SoftwareAuthenticator) => ({
    credential: credentialOf(by.sign(await challengeOf(browser), site)),
  });
  expectCode(await confirm({}), 400, 'invalid_request');
  expectCode(await confirm({ password: PASSWORD }), 403, 'second_factor_required');
  expectCode(await confirm({ password: 'a wrong password', code: next }), 403, 'invalid_login');
  await must(200, confirm({ password: PASSWORD, code: next }));
  expectCode(await confirm({ password: PASSWORD, code: next }), 403, 'invalid_login');
  await must(200, confirm({ password: PASSWORD, code: recovery[0] }));
  expectCode(await confirm(await signed(foreign)), 403, 'invalid_login');
  const proof = await signed(device);
  await must(200, confirm(proof));
  expectCode(await confirm(proof), 403, 'invalid_login');
  expect(email).toMatch(/@/);
});

test('rule 79: a recovery link takes all factors away', async () => {
  const { browser, email } = await newOwner(service);
  const { device } = await addPasskey(browser, 'Key');
  await setUpCodes(browser);
  const token = await linkToken(service, '--email', email);
  const recovering = new Browser(service);
  await must(201, recovering.send('POST', '/v2/invitation/accept', { token, password: PASSWORD }));
  expect(await factorsOf(recovering)).toMatchObject({ passkeys: [], one_time_code: null });
  expectCode((await signInWith(device)).reply, 403, 'invalid_login');
  expect((await signIn(email)).status).toBe(201);
});

test('rule 79: a user with one-time codes accepts an invitation with a code', async () => {
  const { browser, email } = await newOwner(service);
  const { next } = await setUpCodes(browser);
  const token = await linkToken(service);
  const accept = (code?: string) =>
    new Browser(service).send('POST', '/v2/invitation/accept', { token, email, password: PASSWORD, code });
  expectCode(await accept(), 403, 'second_factor_required');
  expectCode(await accept('000000'), 403, 'invalid_login');
  // The first account has the user already.
  expectCode(await accept(next), 409, 'user_exists');
});

test('rule 79: malformed credentials are refused', async () => {
  const { browser } = await newOwner(service);
  const { options } = await must(200, send(browser, 'POST', '/v2/user/passkeys/start'));
  const device = new SoftwareAuthenticator();
  const sent = device.register({ challenge: options.challenge, userHandle: 'x' }, site);
  const { id, response } = credentialOf(sent);
  const register = (credential: unknown) => send(browser, 'POST', '/v2/user/passkeys', { credential });
  for (const credential of [
    undefined,
    null,
    'text',
    {},
    { id },
    { id, response: {} },
    { id, response: { ...response, clientDataJSON: 7 } },
    { id, response: { ...response, attestationObject: 'AAAA' } },
    { id, response: { ...response, attestationObject: 'A'.repeat(5000) } },
    { id: 'AAAA', response },
  ])
    expectCode(await register(credential), 400, 'invalid_request');
  expectCode(
    await send(browser, 'POST', '/v2/session/passkey', { credential: { id, response } }),
    400,
    'invalid_request',
  );
  await must(201, register({ id, response }));
});

test('rule 79: the typed client signs in and manages factors', async () => {
  const owner = await newOwner(service);
  const jar = { cookie: owner.browser.cookie };
  const client = createClient({
    url: site.origin,
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('sec-fetch-site', 'same-origin');
      headers.set('cookie', jar.cookie ?? '');
      const response = await fetch(url, { ...init, headers });
      const set = /^(zonewright=[^;]+);/.exec(response.headers.get('set-cookie') ?? '');
      if (set !== null) jar.cookie = set[1];
      return response;
    },
  });
  const device = new SoftwareAuthenticator();
  const options = await client.factors.startAddingPasskey();
  const registered = device.register(
    { challenge: options.challenge, userHandle: fromBase64url(options.user.id) },
    site,
  );
  const passkey = await client.factors.addPasskey(credentialOf(registered), 'Phone');
  expect(await client.factors.renamePasskey(passkey.id, 'Blue')).toEqual({ ...passkey, name: 'Blue' });
  const { secret } = await client.factors.startOneTimeCodes();
  const step = newStep();
  expect(await client.factors.confirmOneTimeCodes(codeOf(secret, step))).toHaveLength(10);
  const recovery = await client.factors.replaceRecoveryCodes();
  await client.session.signOut();
  await expect(client.session.get()).rejects.toMatchObject({ code: 'invalid_key' });

  const password = { email: owner.email, password: PASSWORD };
  await expect(client.session.signIn(password)).rejects.toMatchObject({ code: 'second_factor_required' });
  const { user } = await client.session.signIn({ ...password, code: codeOf(secret, step + 1) });
  expect(user.email).toBe(owner.email);
  await client.session.confirm({ password: PASSWORD, code: recovery[0] });
  const sign = async () => credentialOf(device.sign((await client.session.startPasskey()).challenge, site));
  await client.session.signInWithPasskey(await sign());
  await client.session.confirm({ credential: await sign() });
  expect(await client.session.list()).toMatchObject([{ current: true }]);
  await client.factors.removeOneTimeCodes();
  await client.factors.removePassword();
  expect(await client.factors.get()).toMatchObject({ password: false, one_time_code: null });
  await expect(client.factors.removePasskey(passkey.id)).rejects.toMatchObject({ code: 'factor_conflict' });
});

test('rule 79: passkeys need an address that browsers keep them for', async () => {
  const { browser } = await newOwner(service);
  for (const path of ['/v2/user/passkeys/start', '/v2/session/passkey/start']) {
    const reply = await browser.send('POST', path);
    expectCode(reply, 503, 'factor_unavailable');
    expect(reply.json.error).toContain('ZONEWRIGHT_PUBLIC_URL');
  }
});

const withoutSecret = {
  sqlite:
    'rule 79: without the secret that encrypted them, one-time codes are refused, and recovery codes work',
  postgres: 'rule 79: without a secret, one-time codes are refused, and all else works',
};

test(withoutSecret[inject('engine')], async () => {
  const [first, second] = ['a', 'b'].map((letter) => letter.repeat(32));
  const isShared = inject('engine') === 'postgres';
  const run = async (data: string | undefined, secret: string, use: (own: Service) => Promise<void>) => {
    const settings = { ZONEWRIGHT_DNSSEC_SECRET: secret };
    const own = await startService(data === undefined ? { settings } : { data, settings });
    await use(own).finally(() => own.stop());
    return own.data;
  };
  if (isShared) {
    await run(undefined, '', async (own) => {
      const { browser } = await newOwner(own);
      expectCode(await browser.send('POST', '/v2/user/one_time_code'), 503, 'factor_unavailable');
      const headers = { host: own.httpAddress.replace('127.0.0.1', 'localhost') };
      await must(200, browser.send('POST', '/v2/user/passkeys/start', undefined, headers));
    });
    return;
  }
  let email = '';
  let codes = { next: '', recovery: [] as readonly string[] };
  const data = await run(undefined, first, async (own) => {
    const owner = await newOwner(own);
    email = owner.email;
    codes = await setUpCodes(owner.browser);
  });
  await run(data, second, async (own) => {
    const attempt = (code: string) =>
      new Browser(own).send('POST', '/v2/session', { email, password: PASSWORD, code });
    expectCode(await attempt(codes.next), 503, 'factor_unavailable');
    expect((await attempt(codes.recovery[0])).status).toBe(201);
  });
});
