import { monotonicClock, systemClock } from '../base/clock.ts';
import { watchRenewal } from '../metrics/watch-renewal.ts';
import { Renewal, type RenewalFigures } from '../signer/renew-signatures.ts';
import type { OpenedStore } from './open-stores.ts';
import type { RunningParts } from './running-parts.ts';
import type { StartOptions } from './service-options.ts';
import type { FoundProblem, ServiceProblems } from './service-problems.ts';

/** A renewal that fails is tried again each hour. After two days, signatures still have 13 days: the time to act. */
const OVERDUE_LIMIT_SECONDS = 2 * 86_400;

/**
 * Starts the renewal of signatures, with its metrics and problems. It ends before the store is closed.
 *
 * @param canSign false without a secret
 * @param findClockDoubt returns why the clock cannot be used to sign, a sentence; undefined if it can
 */
export function startRenewal(
  { log, metrics }: StartOptions,
  { store }: OpenedStore,
  canSign: boolean,
  findClockDoubt: () => string | undefined,
  problems: ServiceProblems,
  parts: RunningParts,
): void {
  const renewal = new Renewal({
    store,
    log,
    clock: systemClock,
    monotonic: monotonicClock,
    canSign,
    findClockDoubt,
  });
  watchRenewal(metrics.registry, () => renewal.figures());
  problems.add('renewal_held', () => describeHeldRenewal(renewal.figures()));
  problems.add('renewal_overdue', () => describeOverdueRenewal(renewal.figures()));
  parts.add(() => renewal.close());
  renewal.start();
}

/** Domains are still served, so that neither problem is a reason to send requests elsewhere. */
export function describeHeldRenewal({
  clockDoubt,
}: Pick<RenewalFigures, 'clockDoubt'>): FoundProblem | undefined {
  return clockDoubt === undefined ? undefined : { message: clockDoubt, isSevere: false };
}

export function describeOverdueRenewal({
  due,
  overdueSeconds,
}: Pick<RenewalFigures, 'due' | 'overdueSeconds'>): FoundProblem | undefined {
  if (overdueSeconds <= OVERDUE_LIMIT_SECONDS) return undefined;
  const days = Math.floor(overdueSeconds / 86_400);
  const domains = due === 1 ? '1 domain waits' : `${due} domains wait`;
  return {
    message: `The signatures of a domain should have been renewed ${days} days ago, and expire two weeks after that; ${domains} for renewal`,
    isSevere: false,
  };
}
