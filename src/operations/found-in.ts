import type { Domain } from '../model/domain.ts';
import type { Outcome } from '../model/refusal.ts';
import { revisionOf } from '../writes/revision.ts';

/** What belongs to a domain, as it is in the domain's revision. */
export function foundIn<T>(value: T, domain: Domain): Outcome<T> {
  return { ok: true, value, created: false, revision: revisionOf(domain) };
}

/** The same for what shows the domain itself: with its serial. */
export function foundAt<T>(value: T, domain: Domain): Outcome<T> {
  return { ok: true, value, created: false, serial: domain.serial, revision: revisionOf(domain) };
}
