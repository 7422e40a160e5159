import type { Domain } from '../model/domain.ts';
import type { ReadResult } from '../model/result.ts';
import { revisionOf } from '../writes/revision.ts';

/** What belongs to a domain, as it is in the domain's revision. */
export function foundIn<T>(value: T, domain: Domain): ReadResult<T> {
  return { ok: true, value, revision: revisionOf(domain) };
}

/** The same for what shows the domain itself: with its serial. */
export function foundAt<T>(value: T, domain: Domain): ReadResult<T> {
  return { ok: true, value, serial: domain.serial, revision: revisionOf(domain) };
}
