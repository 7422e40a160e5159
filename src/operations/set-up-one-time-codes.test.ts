import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { must, openFactorScene } from './factor-scene.test-support.ts';
import { getFactors } from './own-factors.ts';
import { confirmOneTimeCodes, replaceRecoveryCodes, startOneTimeCodes } from './set-up-one-time-codes.ts';

const { times, context, newProcess, newUser, folder } = await openFactorScene();

function codeOf(secret: string): string {
  return new TOTP({ secret }).generate({ timestamp: times.nowMs });
}

test('one-time codes count once a code of the app was shown', async () => {
  const requester = await newUser();
  const { secret, uri } = must(await startOneTimeCodes(context, requester));
  expect(uri).toContain(secret);
  const factors = async () => must(await getFactors(context, requester)).factors;
  expect(await factors()).toMatchObject({ oneTimeCode: null, recoveryCodes: [] });
  expect(await confirmOneTimeCodes(context, requester, '12345')).toMatchObject({
    refusal: { code: 'invalid_login' },
  });
  must(await confirmOneTimeCodes(context, requester, codeOf(secret)));
  expect(await factors()).toMatchObject({
    oneTimeCode: { lastStep: Math.floor(times.nowMs / 30_000) },
    pendingCode: null,
  });
});

test('without a secret of the service, there are no one-time codes', async () => {
  expect(await startOneTimeCodes(newProcess([]), await newUser())).toMatchObject({
    refusal: { code: 'factor_unavailable', message: /ZONEWRIGHT_DNSSEC_SECRET/ },
  });
});

test('the files of the store show neither a secret nor a recovery code', async () => {
  const requester = await newUser();
  const { secret } = must(await startOneTimeCodes(context, requester));
  const first = must(await confirmOneTimeCodes(context, requester, codeOf(secret)));
  const second = must(await replaceRecoveryCodes(context, requester));
  const stored = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
  expect(stored.includes('"recoveryCodes":["')).toBe(true);
  const octets = Buffer.from(Secret.fromBase32(secret).bytes);
  const forms = [
    secret,
    octets,
    octets.toString('base64'),
    octets.toString('base64url'),
    octets.toString('hex'),
  ];
  for (const code of [...first, ...second]) forms.push(code, code.replaceAll('-', ''));
  for (const form of forms) expect(stored.includes(form), String(form)).toBe(false);
});
