import { expect, test } from 'vitest';
import { FRESH_SECONDS } from '../model/user.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { must, openFactorScene, sender } from './factor-scene.test-support.ts';
import { newOneTimeToken } from '../credentials/one-time-token.ts';

const { times, context, newUser } = await openFactorScene();

test('a user who accepts an invitation with a session proves nothing: the new one is neither fresher nor longer', async () => {
  const caller = await newUser();
  const { user, session } = caller.signedIn!;
  times.nowMs += (FRESH_SECONDS + 60) * 1000;
  const account = { id: context.newId(), name: 'Other', email: 'other@example.net', createdAtSeconds: 1 };
  const about = { id: context.newId(), accountId: account.id, createdAtSeconds: 1 };
  const key = { ...about, hash: about.id, scope: 'full', label: '' } as const;
  must(await context.store.write({ kind: 'createAccount', account, key }));
  const { text: token, hash } = newOneTimeToken('invitation');
  const role = { role: 'viewer', grants: null, isOperator: false, recovers: null } as const;
  const dates = { createdAtSeconds: 1, expiresAtSeconds: 2 ** 32, createdBy: '' };
  const invitation = { ...about, hash, email: user.email, ...role, ...dates };
  must(await context.store.write({ kind: 'createInvitation', invitation, within: caller.rights }));
  const opened = must(await acceptInvitation(context, { token }, { ...sender, caller }));
  const { id, freshUntilSeconds, endsAtSeconds } = opened.session;
  expect(id).not.toBe(session.id);
  expect({ freshUntilSeconds, endsAtSeconds }).toEqual({
    freshUntilSeconds: session.freshUntilSeconds,
    endsAtSeconds: session.endsAtSeconds,
  });
});
