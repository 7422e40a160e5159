import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Caller } from '../model/account.ts';
import { success, type Result } from '../model/result.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { describePropagation, type Propagation } from './propagation.ts';

export interface PropagationRequest {
  /** Null for the domain's current serial. */
  readonly serial: number | null;
  /** How long to wait until all live nameservers serve it; 0 for not at all. */
  readonly waitSeconds: number;
}

/**
 * Returns the serial that each nameserver serves of a domain: immediately, or as soon as all live nameservers serve the
 * requested serial.
 *
 * @param getSignal called only if the request has to wait
 */
export async function getPropagation(
  context: OperationContext,
  caller: Caller,
  domainText: string,
  request: PropagationRequest,
  getSignal: GetSignal,
): Promise<Result<Propagation>> {
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const domain = found.value;
  const serial = request.serial ?? domain.serial;
  const seen = await context.store.servedSerials(domain);
  const now = describePropagation(domain.name, serial, seen);
  if (now.isCurrent || request.waitSeconds === 0) return success(now);
  const awaited = { domain, serial, timeoutMs: request.waitSeconds * 1000 };
  const waited = await context.propagationWaits.wait(awaited, seen, getSignal());
  return waited.ok ? success(describePropagation(domain.name, serial, waited.value)) : waited;
}
