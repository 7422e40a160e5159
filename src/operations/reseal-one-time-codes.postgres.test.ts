import { expect, onTestFinished, test } from 'vitest';
import { openKeySecrets } from '../dnssec/key-secrets.ts';
import { parseUserFactors } from '../model/user-factors.ts';
import { newPostgres, openStore, withoutZones } from '../store/postgres/postgres-scene.test-support.ts';
import { openPostgresSealedKeys } from '../store/postgres/postgres-sealed-keys.ts';
import { join, newSession, owner } from '../store/suite/people-suite.test-support.ts';
import { newId, START_SECONDS, StoreScene } from '../store/suite/store-scene.test-support.ts';
import { openCodeSecret, sealCodeSecret } from './one-time-code-secret.ts';
import { resealOneTimeCodes } from './reseal-one-time-codes.ts';

const former = 'the former secret of the tests, of more than 32 characters';
const recent = 'a new secret of the tests, of more than 32 characters';
const [onlyFormer, onlyRecent, both] = [[former], [recent], [recent, former]].map((masters) =>
  openKeySecrets(masters, 'one-time codes'),
);

/** A user of the database whose log-ins use one code after the other. */
async function newUser(scene: StoreScene) {
  const { user } = await join(scene, await scene.newAccount(), owner);
  const id = newId();
  const sealed = sealCodeSecret(Buffer.from('secret'), user.id, onlyFormer);
  const code = { id, ...sealed, createdAtSeconds: START_SECONDS, lastStep: 0 };
  const change = { kind: 'changeFactors', userId: user.id } as const;
  await scene.must({ ...change, change: { kind: 'prepareOneTimeCode', code } });
  await scene.must({
    ...change,
    change: { kind: 'confirmOneTimeCode', id, step: 1, recoveryCodes: ['hash'] },
  });
  return {
    userId: user.id,
    signIn: (step: number) =>
      scene.must({
        kind: 'createSession',
        session: newSession(user.id),
        passwordHash: 'a password',
        factor: { kind: 'oneTimeCode', id, step, atMs: 0 },
      }),
  };
}

test('secrets of one-time codes are encrypted again while users sign in, and no log-in is forgotten', async () => {
  const { address, remove } = await newPostgres();
  onTestFinished(remove);
  const store = await openStore(address);
  onTestFinished(() => store.close());
  const scene = new StoreScene(withoutZones(store));
  const users = await Promise.all(Array.from({ length: 5 }, () => newUser(scene)));
  const sealed = await openPostgresSealedKeys(address);
  onTestFinished(() => sealed.close());
  const signIns = users.map(async ({ signIn }) => {
    for (let step = 2; step <= 20; step++) await signIn(step);
  });
  expect(await resealOneTimeCodes(sealed, both)).toEqual({ resealed: 5, lost: new Map() });
  await Promise.all(signIns);
  for (const { userId } of users) {
    const [{ factors }] = await store.people.find('users', 'id', [userId]);
    const { oneTimeCode, recoveryCodes } = parseUserFactors(factors);
    expect(oneTimeCode).toMatchObject({ lastStep: 20 });
    expect(recoveryCodes).toEqual(['hash']);
    expect(oneTimeCode && openCodeSecret(oneTimeCode, userId, onlyRecent)).toEqual(
      new Uint8Array(Buffer.from('secret')),
    );
  }
  expect(await resealOneTimeCodes(sealed, both)).toEqual({ resealed: 0, lost: new Map() });
  const lost = new Map([[onlyRecent.secretId, 5]]);
  expect(await resealOneTimeCodes(sealed, onlyFormer)).toEqual({ resealed: 0, lost });
});
