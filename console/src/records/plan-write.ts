import { service } from '../service/service-client.ts';
import { isOutdated } from './use-review.ts';

/** A program that changes the domain all the time is in the way of people anyway. */
const MAX_ATTEMPTS = 4;

export interface PlannedWrite<T> {
  /** The write is what was shown only on this revision. */
  readonly revision: string | undefined;
  readonly plan: T;
}

/** Dry-runs a write on the revision that the domain has now. @param dryRun gets the revision as its condition */
export async function planWrite<T>(
  domain: string,
  dryRun: (ifMatch: string | undefined) => Promise<T>,
): Promise<PlannedWrite<T>> {
  for (let attempt = 1; ; attempt++) {
    const revision = await service.domains.revision(domain);
    try {
      return { revision, plan: await dryRun(revision) };
    } catch (error) {
      if (!isOutdated(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
