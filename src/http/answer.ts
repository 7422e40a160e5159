// What a route gives back: a status and the ready text of a body. Knows nothing of sockets and of fastify.
import { errorStatuses, formatError, type ApiError } from '../contract/errors.ts';
import { zoneSerialHeader } from '../contract/zone-serial-header.ts';
import type { Outcome } from '../model/refusal.ts';

export interface Answer {
  readonly status: number;
  /** JSON in one line, or nothing with 204. */
  readonly body: string;
  /** Of a body that is not JSON. */
  readonly contentType?: string;
  /** Further headers: name, value, name, value … */
  readonly headers?: readonly string[];
}

/** A resource: 201 where it was made, 200 where it was found. */
export function answerCreated<T>(outcome: Outcome<T>, format: (value: T) => string): Answer {
  if (!outcome.ok) return answerError(outcome.refusal);
  return { status: outcome.created ? 201 : 200, body: format(outcome.value), ...zoneSerial(outcome.serial) };
}

export function answerFound<T>(outcome: Outcome<T>, format: (value: T) => string): Answer {
  if (!outcome.ok) return answerError(outcome.refusal);
  return { status: 200, body: format(outcome.value), ...zoneSerial(outcome.serial) };
}

/** 204 where it was done. */
export function answerDone(outcome: Outcome<unknown>): Answer {
  if (!outcome.ok) return answerError(outcome.refusal);
  return { status: 204, body: '', ...zoneSerial(outcome.serial) };
}

/** What to ask the nameservers for, or how far they have come (contract rule 36). */
function zoneSerial(serial: number | undefined): Pick<Answer, 'headers'> {
  return serial === undefined ? {} : { headers: [zoneSerialHeader, String(serial)] };
}

/** A full queue is empty again well within a second. */
const busyRetryAfterSeconds = 1;

export function answerError(error: ApiError, headers: readonly string[] = []): Answer {
  const status = errorStatuses[error.code];
  const retry = status === 503 ? ['Retry-After', String(busyRetryAfterSeconds)] : [];
  return { status, body: formatError(error), headers: [...retry, ...headers] };
}
