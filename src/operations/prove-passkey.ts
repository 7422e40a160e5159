// Proofs of who somebody is, by a passkey: it is something that the user has, and was unlocked by the user.
import {
  readChallenge,
  readUserHandle,
  type PasskeySite,
  type SentAssertion,
} from '../credentials/passkey.ts';
import { refusePasskey } from '../model/refuse-login.ts';
import { refused, success, type Refused, type Result } from '../model/result.ts';
import { parseUserFactors, type Passkey, type UsedChallenge } from '../model/user-factors.ts';
import type { User } from '../model/user.ts';
import { beginLogin } from './begin-login.ts';
import { noteFailedLogin } from './note-failed-login.ts';
import type { OperationContext } from './operation-context.ts';
import type { ProvenUser } from './prove-password.ts';
import type { Sender } from './sender.ts';

/** All log-ins have the same: the user is known only afterwards. */
const PURPOSE = 'sign in';

/** A log-in that has begun. Nothing of it is stored. */
export interface PasskeyRequest {
  readonly site: PasskeySite;
  readonly challenge: string;
}

/** @param site undefined: the operator has to set the address of the service first */
export function startPasskeyProof(
  context: Pick<OperationContext, 'factors' | 'clock'>,
  site: PasskeySite | undefined,
): Result<PasskeyRequest> {
  if (site === undefined) return refuseWithoutSite();
  return success({ site, challenge: context.factors.challenges.issue(PURPOSE, secondsOf(context)) });
}

type PasskeySender = Pick<Sender, 'network' | 'address'>;

export async function provePasskey(
  context: OperationContext,
  sent: SentAssertion,
  site: PasskeySite | undefined,
  { network, address }: PasskeySender,
): Promise<Result<ProvenUser>> {
  if (site === undefined) return refuseWithoutSite();
  const name = `passkey ${sent.id.slice(0, MAX_COUNTED_CHARACTERS)}`;
  const delayed = beginLogin(context, name, { network, address });
  if (delayed !== undefined) return delayed;
  const proven = await verify(context, sent, site, address);
  if (proven.ok) context.logins.succeed(name, network);
  return proven;
}

/** Failures are counted by credential ID, of which so much is as good as all. */
const MAX_COUNTED_CHARACTERS = 64;

async function verify(
  context: OperationContext,
  sent: SentAssertion,
  site: PasskeySite,
  address: string | undefined,
): Promise<Result<ProvenUser>> {
  const fail = (refusal: Refused, user?: User): Refused => {
    noteFailedLogin(context, user, { address });
    return refusal;
  };
  const challenge = readChallenge(sent, site);
  if (!challenge.ok) return refused('invalid_request', challenge.problem, 'credential');
  const nowSeconds = secondsOf(context);
  const issued = context.factors.challenges.check(challenge.value, PURPOSE, nowSeconds);
  if (issued === undefined) return fail(refuseChallenge());
  const found = await findPasskey(context, sent);
  if (found === undefined) return fail(refusePasskey());
  const { verifyAssertion } = await import('../credentials/verify-passkey.ts');
  const verified = await verifyAssertion(sent, challenge.value, site, found.passkey);
  if (!verified.ok) return fail(refusePasskey(), found.user);
  return success(useOf(found, verified.value, issued, nowSeconds));
}

interface FoundPasskey {
  readonly user: User;
  readonly passkey: Passkey;
}

function useOf(
  { user, passkey: { id } }: FoundPasskey,
  { counter }: Pick<Passkey, 'counter'>,
  challenge: UsedChallenge,
  atSeconds: number,
): ProvenUser {
  return { user, passwordHash: null, factor: { kind: 'passkey', id, counter, challenge, atSeconds } };
}

async function findPasskey(
  { store }: Pick<OperationContext, 'store'>,
  sent: SentAssertion,
): Promise<FoundPasskey | undefined> {
  const userId = readUserHandle(sent);
  if (userId === undefined) return undefined;
  const user = (await store.people.find('users', 'id', [userId])).at(0);
  if (user === undefined) return undefined;
  const { passkeys } = parseUserFactors(user.factors);
  const passkey = passkeys.find(({ credentialId }) => credentialId === sent.id);
  return passkey && { user, passkey };
}

/** The person has taken too long, or the secret of the service was exchanged. */
export function refuseChallenge(): Refused {
  return refused('invalid_login', 'The challenge has expired, or was not made for this; start again');
}

export function refuseWithoutSite(): Refused {
  return refused(
    'factor_unavailable',
    'Passkeys belong to an address, and the operator has to set it first: ZONEWRIGHT_PUBLIC_URL; on the loopback interface, use the name localhost',
  );
}

function secondsOf({ clock }: Pick<OperationContext, 'clock'>): number {
  return Math.floor(clock.nowMs() / 1000);
}
