import { expect, test } from 'vitest';
import { readChallenge, readUserHandle, type PasskeySite } from './passkey.ts';
import {
  encodeBytes,
  encodeList,
  encodeMap,
  encodeText,
  SoftwareAuthenticator,
  type AuthenticatorOptions,
  type Misbehaviour,
} from './software-authenticator.test-support.ts';
import { verifyAssertion, verifyRegistration } from './verify-passkey.ts';

const site: PasskeySite = { origin: 'https://dns.example.net', rpId: 'dns.example.net' };
const challenge = 'Y2hhbGxlbmdl';
const userHandle = '0193489f-8a3b-7abc-8def-0123456789ab';
const refused = { ok: false };

async function register(options: AuthenticatorOptions = {}) {
  const device = new SoftwareAuthenticator(options);
  const registered = await verifyRegistration(
    device.register({ challenge, userHandle }, site),
    challenge,
    site,
  );
  if (!registered.ok) throw new Error(registered.problem);
  return { device, passkey: registered.value };
}

test.each(['p256', 'rsa'] as const)('a passkey of kind %s is registered and signs in', async (algorithm) => {
  const { device, passkey } = await register({ algorithm });
  expect(passkey).toMatchObject({ credentialId: device.id, counter: 0, transports: ['hybrid', 'internal'] });
  const assertion = device.sign(challenge, site);
  expect(readUserHandle(assertion)).toBe(userHandle);
  expect(readChallenge(assertion, site)).toEqual({ ok: true, value: challenge });
  expect(await verifyAssertion(assertion, challenge, site, passkey)).toEqual({
    ok: true,
    value: { counter: 1 },
  });
});

test('a passkey that does not count can be used again and again', async () => {
  const { device, passkey } = await register({ countsNothing: true });
  for (let time = 0; time < 2; time++)
    expect(await verifyAssertion(device.sign(challenge, site), challenge, site, passkey)).toEqual({
      ok: true,
      value: { counter: 0 },
    });
});

const wrong: [string, Misbehaviour][] = [
  ['another origin', { origin: 'https://dns.example.net.evil.example' }],
  ['the origin without TLS', { origin: 'http://dns.example.net' }],
  ['another RP ID', { rpId: 'example.net' }],
  ['another type', { type: 'payment.get' }],
  ['no verified user', { isUnverified: true }],
];

test.each(wrong)('an assertion with %s is refused', async (_, misbehaviour) => {
  const { device, passkey } = await register();
  const assertion = device.sign(challenge, site, misbehaviour);
  expect(await verifyAssertion(assertion, challenge, site, passkey)).toMatchObject(refused);
});

test.each(wrong)('a registration with %s is refused', async (_, misbehaviour) => {
  const sent = new SoftwareAuthenticator().register({ challenge, userHandle }, site, misbehaviour);
  expect(await verifyRegistration(sent, challenge, site)).toMatchObject(refused);
});

test('an assertion of another challenge, of another passkey, or altered is refused', async () => {
  const { device, passkey } = await register();
  const other = await register();
  const assertion = device.sign(challenge, site);
  const verify = (changed: Partial<typeof assertion>, signed = challenge, key = passkey) =>
    verifyAssertion({ ...assertion, ...changed }, signed, site, key);
  expect(await verify({})).toMatchObject({ ok: true });
  expect(await verify({}, 'YW5vdGhlcg')).toMatchObject(refused);
  expect(await verify({}, challenge, other.passkey)).toMatchObject(refused);
  const { authenticatorData, clientDataJSON } = other.device.sign(challenge, site, { counter: 9 });
  expect(await verify({ authenticatorData })).toMatchObject(refused);
  expect(await verify({ clientDataJSON: `${clientDataJSON}AA` })).toMatchObject(refused);
  for (const signature of ['AAAA', '', '!', 'A'.repeat(5000)])
    expect(await verify({ signature }), signature.slice(0, 9)).toMatchObject(refused);
});

test.each([
  [5, 5],
  [5, 4],
  [5, 0],
])('a passkey that has counted to %i and then counts %i is refused', async (counter, next) => {
  const { device, passkey } = await register();
  const assertion = device.sign(challenge, site, { counter: next });
  expect(await verifyAssertion(assertion, challenge, site, { ...passkey, counter })).toMatchObject(refused);
});

test('a page of another origin and a frame learn it before anything is verified', () => {
  const device = new SoftwareAuthenticator();
  const read = (misbehaviour: Misbehaviour) =>
    readChallenge(device.sign(challenge, site, misbehaviour), site);
  expect(read({ origin: 'https://evil.example' })).toEqual({
    ok: false,
    problem: 'Passkeys of this service are used at https://dns.example.net only',
  });
  expect(read({ crossOrigin: true })).toMatchObject({ problem: /frame/ });
  for (const text of ['', '!', 'bnVsbA', 'W10', 'e30', 'A'.repeat(5000)])
    expect(readChallenge({ clientDataJSON: text }, site), text.slice(0, 9)).toMatchObject(refused);
});

test.each([
  ['Ed25519, which is not asked for', { algorithm: 'ed25519' }],
  ['RSA with 1,024 bits', { algorithm: 'rsa', modulusBits: 1024 }],
  ['an ID of 1,024 octets', { idOctets: 1024 }],
] satisfies [string, AuthenticatorOptions][])('a passkey with %s is refused', async (_, options) => {
  const sent = new SoftwareAuthenticator(options).register({ challenge, userHandle }, site);
  expect(await verifyRegistration(sent, challenge, site)).toMatchObject(refused);
});

test('a point that is not on the curve is refused', async () => {
  const sent = new SoftwareAuthenticator().register({ challenge, userHandle }, site);
  const object = Buffer.from(sent.attestationObject, 'base64url');
  object[object.length - 1] ^= 1;
  const altered = { ...sent, attestationObject: object.toString('base64url') };
  expect(await verifyRegistration(altered, challenge, site)).toMatchObject({ problem: /not a point/ });
});

test('the certificate of a device is refused unread, because the library would follow the addresses in it', async () => {
  for (const format of ['packed', 'fido-u2f', 'tpm', 'apple', 'android-key', 'android-safetynet']) {
    const statement = encodeMap([[encodeText('x5c'), encodeList([encodeBytes(Buffer.from('certificate'))])]]);
    const sent = new SoftwareAuthenticator().register(
      { challenge, userHandle },
      site,
      {},
      { format, statement },
    );
    expect(await verifyRegistration(sent, challenge, site), format).toMatchObject({ problem: /certificate/ });
  }
});

test('user handles that no registration gave are none', () => {
  for (const text of ['', '!', 'A'.repeat(87)]) expect(readUserHandle({ userHandle: text })).toBeUndefined();
});
