import type { Domain } from '../model/domain.ts';
import type { ReadResult } from '../model/result.ts';
import { revisionOf } from '../writes/revision.ts';

/** The result of reading something that belongs to a domain: with the domain's revision. */
export function foundIn<T>(value: T, domain: Domain): ReadResult<T> {
  return { ok: true, value, revision: revisionOf(domain) };
}

/** The result of reading the domain itself or its whole content: with its revision and serial. */
export function foundAt<T>(value: T, domain: Domain): ReadResult<T> {
  return { ok: true, value, serial: domain.serial, revision: revisionOf(domain) };
}
