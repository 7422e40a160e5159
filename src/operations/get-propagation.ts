import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Caller } from '../model/account.ts';
import { success, type Result } from '../model/result.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { describePropagation, type Propagation } from './propagation.ts';

export interface PropagationWish {
  /** Null: the domain's own at this moment. */
  readonly serial: number | null;
  /** How long to wait until all live nameservers serve it; 0: not at all. */
  readonly waitSeconds: number;
}

/**
 * What each nameserver serves of a domain, at once or as soon as all live ones serve what is wished for.
 *
 * @param getSignal called only if the request has to wait
 */
export async function getPropagation(
  context: OperationContext,
  caller: Caller,
  domainText: string,
  wish: PropagationWish,
  getSignal: GetSignal,
): Promise<Result<Propagation>> {
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const domain = found.value;
  const serial = wish.serial ?? domain.serial;
  const seen = await context.store.zoneServing(domain);
  const now = describePropagation(domain.name, serial, seen);
  if (now.isCurrent || wish.waitSeconds === 0) return success(now);
  const awaited = { domain, serial, timeoutMs: wish.waitSeconds * 1000 };
  const waited = await context.propagationWaits.wait(awaited, seen, getSignal());
  return waited.ok ? success(describePropagation(domain.name, serial, waited.value)) : waited;
}
