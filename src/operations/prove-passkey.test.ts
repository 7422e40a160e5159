import { expect, test } from 'vitest';
import { CHALLENGE_SECONDS } from '../credentials/challenges.ts';
import type { PasskeySite } from '../credentials/passkey.ts';
import { SoftwareAuthenticator } from '../credentials/software-authenticator.test-support.ts';
import { addPasskey, startAddingPasskey } from './add-passkey.ts';
import { must, openFactorScene, sender } from './factor-scene.test-support.ts';
import { provePasskey, startPasskeyProof } from './prove-passkey.ts';
import type { Requester } from './requester.ts';
import { signInWithPasskey } from './sign-in.ts';

const site: PasskeySite = { origin: 'https://dns.example.net', rpId: 'dns.example.net' };
const { times, context, newProcess, newUser } = await openFactorScene();

async function register(requester: Requester, by = context) {
  const device = new SoftwareAuthenticator({ countsNothing: true });
  const { challenge } = must(await startAddingPasskey(by, requester, site));
  const sent = device.register({ challenge, userHandle: requester.signedIn!.user.id }, site);
  return { device, sent, add: (to = by) => addPasskey(to, requester, { name: undefined, sent }, site) };
}

function challengeOf(by = context): string {
  return must(startPasskeyProof(by, site)).challenge;
}

const invalidLogin = { refusal: { code: 'invalid_login' } };

test('a challenge expires after five minutes', async () => {
  const requester = await newUser();
  const { device, add } = await register(requester);
  times.nowMs += CHALLENGE_SECONDS * 1000;
  expect(await add()).toMatchObject(invalidLogin);
  times.nowMs -= 1000;
  must(await add());
  const signed = device.sign(challengeOf(), site);
  times.nowMs += CHALLENGE_SECONDS * 1000;
  expect(await signInWithPasskey(context, signed, site, sender)).toMatchObject(invalidLogin);
  times.nowMs -= 1000;
  must(await signInWithPasskey(context, signed, site, sender));
  expect(await signInWithPasskey(context, signed, site, sender)).toMatchObject(invalidLogin);
});

test('every process with the secret accepts a challenge of another one, and one without does not', async () => {
  const requester = await newUser();
  const { device, add } = await register(requester);
  must(await add(newProcess()));
  const signed = device.sign(challengeOf(newProcess()), site);
  const without = newProcess([]);
  expect(await signInWithPasskey(without, signed, site, sender)).toMatchObject(invalidLogin);
  must(await signInWithPasskey(context, device.sign(challengeOf(), site), site, sender));
  // Without a secret, the process that has made the challenge accepts it.
  must(await signInWithPasskey(without, device.sign(challengeOf(without), site), site, sender));
  expect(
    await signInWithPasskey(newProcess([]), device.sign(challengeOf(without), site), site, sender),
  ).toMatchObject(invalidLogin);
});

test('of two processes that get one assertion, one opens a session', async () => {
  const { device, add } = await register(await newUser());
  must(await add());
  const signed = device.sign(challengeOf(), site);
  const proofs = [context, newProcess()];
  const results = await Promise.all(proofs.map((by) => signInWithPasskey(by, signed, site, sender)));
  expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
});

test('failed log-ins with a passkey are delayed', async () => {
  const { device, add } = await register(await newUser());
  must(await add());
  const prove = () => provePasskey(context, device.sign(challengeOf(), site), site, sender);
  const fail = () =>
    provePasskey(context, device.sign(challengeOf(), site, { isUnverified: true }), site, sender);
  for (let tries = 0; tries < 5; tries++) expect(await fail()).toMatchObject(invalidLogin);
  expect(await prove()).toMatchObject({ refusal: { code: 'login_delayed', retryAfterSeconds: 1 } });
  times.elapsedMs += 1000;
  must(await prove());
  expect(await fail()).toMatchObject(invalidLogin);
  must(await prove());
});
