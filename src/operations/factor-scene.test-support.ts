// Processes of a service with clocks that tests set, and users who have signed in.
import type { Result } from '../model/result.ts';
import { openFactorTerms } from './factor-terms.ts';
import { openSession } from './open-session.ts';
import type { OperationContext } from './operation-context.ts';
import { openOperationScene } from './operation-scene.test-support.ts';
import type { Requester } from './requester.ts';
import type { Sender } from './sender.ts';

const SECRET = 'the secret of these tests, of more than 32 characters';
const START_MS = 1_800_000_000_000;

export const sender: Sender = { address: '192.0.2.1', network: '192.0.2.1', agent: undefined, caller: null };

export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

export async function openFactorScene() {
  const { context: shared, caller, folder } = await openOperationScene();
  const { store, newId } = shared;
  const times = { nowMs: START_MS, elapsedMs: 0 };
  /** @param masters the secrets of the service */
  const newProcess = (masters: readonly string[] = [SECRET]): OperationContext => ({
    ...shared,
    clock: { nowMs: () => times.nowMs },
    monotonic: { elapsedMs: () => times.elapsedMs },
    factors: openFactorTerms(masters),
  });
  const context = newProcess();

  /** A user who has signed in. */
  const newUser = async (): Promise<Requester> => {
    const id = newId();
    const user = { id, email: `${id}@example.net`, name: 'User', passwordHash: 'x' };
    const role = { role: 'owner', grants: null, isOperator: false, recovers: null } as const;
    const dates = { createdAtSeconds: 1, expiresAtSeconds: 9, createdBy: '' };
    const invitation = { id, hash: id, accountId: caller.accountId, email: user.email, ...role, ...dates };
    must(await store.write({ kind: 'createInvitation', invitation, within: caller.rights }));
    const acceptance = { hash: id, user, proven: null, atSeconds: 1 };
    const accepted = must(await store.write({ kind: 'acceptInvitation', ...acceptance }));
    const signedIn = must(await openSession(context, { user: accepted.user, passwordHash: 'x' }, sender));
    return { ...caller, keyId: `user:${id}`, signedIn: { ...signedIn, accesses: [] } };
  };
  return { times, context, newProcess, newUser, folder };
}
