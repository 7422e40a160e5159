import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { connectProvider } from './connect-provider.ts';
import type { OpenIdProvider } from './open-id-provider.ts';
import { CLIENT_ID, foreignKey, startTestProvider, type TestProvider } from './provider.test-support.ts';

const login = {
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  codeVerifier: 'v'.repeat(43),
  mustProve: false,
};
const QUERY = `code=c&state=${login.state}`;
const DESCRIPTION = '/.well-known/openid-configuration';

let server: TestProvider;
let elapsedMs = 0;
let provider: OpenIdProvider;

beforeEach(async () => {
  server = await startTestProvider(login.nonce);
  const redirectUrl = 'https://dns.example.net/sign-in/oidc';
  const { issuer } = server;
  const settings = { issuer, clientId: CLIENT_ID, clientSecret: 'secret', name: 'Test', redirectUrl };
  elapsedMs = 0;
  provider = connectProvider(settings, { elapsedMs: () => elapsedMs }, silentLog);
});
afterEach(() => server.close());

test('a person is found by a valid ID token, with an e-mail address only if it is verified', async () => {
  const person = { issuer: server.issuer, subject: '7', provenAtSeconds: undefined, name: undefined };
  const email = 'petra@provider.example';
  for (const isVerified of [true, 'true', undefined]) {
    server.claims = { email, email_verified: isVerified };
    const verifiedEmail = isVerified === true ? email : undefined;
    expect(await provider.redeem(QUERY, login)).toEqual({ ok: true, value: { ...person, verifiedEmail } });
  }
});

test.each([
  ['another nonce', { nonce: 'another' }],
  ['no nonce', { nonce: undefined }],
  ['another audience', { aud: 'another' }],
  ['another issuer', { iss: 'https://other.example' }],
  ['a time that is over', { exp: Math.floor(Date.now() / 1000) - 120 }],
  ['no subject', { sub: undefined }],
  ['an empty subject', { sub: '' }],
  ['a subject that is too long', { sub: 'x'.repeat(256) }],
])('an ID token with %s is refused', async (_what, claims) => {
  server.claims = claims;
  expect(await provider.redeem(QUERY, login)).toMatchObject({ ok: false });
});

test('an ID token that the provider has not signed is refused', async () => {
  server.key = foreignKey;
  expect(await provider.redeem(QUERY, login)).toMatchObject({ ok: false, kind: 'rejected' });
  for (const algorithm of ['none', 'HS256'] as const) {
    server.algorithm = algorithm;
    expect(await provider.redeem(QUERY, login)).toMatchObject({ ok: false });
  }
});

test('a user who has to prove again who it is needs a time of that', async () => {
  const again = { ...login, mustProve: true };
  expect(await provider.redeem(QUERY, again)).toMatchObject({ ok: false });
  const provenAtSeconds = Math.floor(Date.now() / 1000);
  server.claims = { auth_time: provenAtSeconds };
  expect(await provider.redeem(QUERY, again)).toMatchObject({ ok: true, value: { provenAtSeconds } });
});

test('each log-in asks for the time of the proof, and nobody proves more often than is needed', async () => {
  const parametersOf = async (mustProve: boolean) => {
    const begun = await provider.begin({ ...login, mustProve });
    const { searchParams } = new URL(begun.ok ? begun.value : begun.reason);
    return ['prompt', 'max_age', 'claims'].map((name) => searchParams.get(name));
  };
  expect(await parametersOf(false)).toEqual([null, '31536000', null]);
  expect(await parametersOf(true)).toEqual(['login', '0', null]);
  server.description = { claims_parameter_supported: true };
  elapsedMs += 3_600_000;
  const claims = '{"id_token":{"auth_time":{"essential":true}}}';
  expect(await parametersOf(false)).toEqual([null, '31536000', claims]);
});

test('a code with another state is not shown to the provider', async () => {
  expect(await provider.redeem('code=c&state=other', login)).toMatchObject({ ok: false, kind: 'rejected' });
  expect(server.asked).toEqual([DESCRIPTION]);
});

test.each([
  ['issuer', 'https://other.example'],
  ['authorization_endpoint', 'http://192.0.2.1/authorize'],
  ['authorization_endpoint', 'javascript:alert(1)'],
])('a provider whose %s is %s is not used', async (name, url) => {
  server.description = { [name]: url };
  expect(await provider.begin(login)).toMatchObject({ ok: false, kind: 'away' });
});

test('a token endpoint without TLS elsewhere is not asked', async () => {
  server.description = { token_endpoint: 'http://192.0.2.1/token' };
  expect(await provider.redeem(QUERY, login)).toMatchObject({ ok: false, kind: 'away' });
});

test('a provider that is away is asked again after five seconds, and its description is kept for an hour', async () => {
  server.status = 503;
  for (const atMs of [0, 4_999]) {
    elapsedMs = atMs;
    expect(await provider.begin(login)).toMatchObject({ ok: false, kind: 'away' });
  }
  expect(server.asked).toEqual([DESCRIPTION]);
  server.status = 200;
  for (const atMs of [5_000, 3_604_999, 3_605_000]) {
    elapsedMs = atMs;
    expect(await provider.begin(login)).toMatchObject({ ok: true });
  }
  expect(server.asked).toEqual([DESCRIPTION, DESCRIPTION, DESCRIPTION]);
});
