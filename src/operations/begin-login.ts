import { refuseDelayed } from '../model/refuse-login.ts';
import type { Refused } from '../model/result.ts';
import { noteFailedLogin } from './note-failed-login.ts';
import type { OperationContext } from './operation-context.ts';
import type { Sender } from './sender.ts';

/**
 * Counts an attempt to sign in as failed until `logins.succeed` or `withdraw` takes that back. Returns a refusal if earlier
 * attempts delay it.
 *
 * @param name whom the attempt is for: an address or a passkey
 */
export function beginLogin(
  context: OperationContext,
  name: string,
  { network, address }: Pick<Sender, 'network' | 'address'>,
): Refused | undefined {
  const { logins, monotonic } = context;
  const nowMs = monotonic.elapsedMs();
  const waitMs = logins.waitMs(name, network, nowMs);
  if (waitMs > 0) {
    noteFailedLogin(context, undefined, { address });
    return refuseDelayed(waitMs);
  }
  logins.begin(name, network, nowMs);
  return undefined;
}
