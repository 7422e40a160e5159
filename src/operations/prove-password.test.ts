import { expect, test } from 'vitest';
import { openFactorScene, sender } from './factor-scene.test-support.ts';
import { provePassword } from './prove-password.ts';

/** One password is compared and four wait, of one network. */
const PLACES = 5;

const { context, newUser } = await openFactorScene();

async function knownAddress(): Promise<string> {
  const { signedIn } = await newUser();
  return signedIn!.user.email;
}

let strangers = 0;
const unknownAddress = (): Promise<string> => Promise.resolve(`stranger${++strangers}@example.net`);

test.each([
  ['unknown users', unknownAddress],
  ['users with another password', knownAddress],
])('the same work is done for %s', async (who, newAddress) => {
  const emails: string[] = [];
  for (let i = 0; i <= PLACES; i++) emails.push(await newAddress());
  const network = who;
  const proofs = emails.map((email) =>
    provePassword(context, { email, password: 'a password of somebody' }, { ...sender, network }),
  );
  const codes = (await Promise.all(proofs)).map((result) => (result.ok ? 'ok' : result.refusal.code));
  // The one who found no place was refused before any work.
  const refused = Array.from({ length: PLACES }, () => 'invalid_login');
  expect(codes.sort()).toEqual(['busy', ...refused]);
});
