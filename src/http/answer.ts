// What a route gives back: a status and the ready text of a body. Knows nothing of sockets and of fastify.
import { errorStatuses, formatError, type ApiError } from '../contract/errors.ts';
import { formatDryRunReply } from '../contract/format-changes.ts';
import { zoneSerialHeader } from '../contract/zone-serial-header.ts';
import type { ReadResult, ReadSuccess, WriteResult, WriteSuccess } from '../model/result.ts';

export interface Answer {
  readonly status: number;
  /** JSON in one line, or nothing with 204, 304 and a stream. */
  readonly body: string;
  /** A long body in pieces, made as they are sent. */
  readonly stream?: Iterable<string> | AsyncIterable<string>;
  /** Of a body that is not JSON. */
  readonly contentType?: string;
  /** The entity tag of what is shown, with its quotes. */
  readonly etag?: string | undefined;
  /** Further headers: name, value, name, value … */
  readonly headers?: readonly string[];
}

/** A resource: 201 where it was made, 200 where it was found. */
export function answerCreated<T>(result: WriteResult<T>, format: (value: T) => string): Answer {
  if (!result.ok) return answerError(result.refusal);
  return (
    findDryRunAnswer(result) ?? {
      status: result.changed ? 201 : 200,
      body: format(result.value),
      ...aboutDomain(result),
    }
  );
}

export function answerFound<T>(result: ReadResult<T>, format: (value: T) => string): Answer {
  if (!result.ok) return answerError(result.refusal);
  return { status: 200, body: format(result.value), ...aboutDomain(result) };
}

/** 200 with a text that may be long. */
export function answerStream<T>(
  result: ReadResult<T> | WriteResult<T>,
  format: (value: T) => Required<Answer>['stream'],
  contentType?: string,
): Answer {
  if (!result.ok) return answerError(result.refusal);
  const dryRun = findDryRunAnswer(result);
  if (dryRun !== undefined) return dryRun;
  const stream = format(result.value);
  return { status: 200, body: '', stream, ...aboutDomain(result), ...(contentType && { contentType }) };
}

/** 204 where it was done. */
export function answerDone(result: WriteResult<unknown>): Answer {
  if (!result.ok) return answerError(result.refusal);
  return findDryRunAnswer(result) ?? { status: 204, body: '', ...aboutDomain(result) };
}

/** Of a dry run: what it would change, whatever the write itself answers (contract rule 41). */
function findDryRunAnswer(result: ReadSuccess<unknown> | WriteSuccess<unknown>): Answer | undefined {
  if (!('difference' in result)) return undefined;
  const { difference, warnings = [] } = result;
  return answerDryRun(result, { difference, warnings });
}

/** Without a serial: there is none to wait for. */
export function answerDryRun(
  { revision }: Pick<ReadSuccess<unknown>, 'revision'>,
  plan: Parameters<typeof formatDryRunReply>[0],
): Answer {
  return { status: 200, body: '', stream: formatDryRunReply(plan), ...tag(revision) };
}

/** What to ask the nameservers for, or how far they have come (contract rule 36); and the revision (rule 42). */
function aboutDomain({ serial, revision }: ReadSuccess<unknown>): Pick<Answer, 'headers' | 'etag'> {
  const headers = serial === undefined ? {} : { headers: [zoneSerialHeader, String(serial)] };
  return { ...headers, ...tag(revision) };
}

function tag(revision: string | undefined): Pick<Answer, 'etag'> {
  return revision === undefined ? {} : { etag: revision };
}

/** A full queue is empty again well within a second. */
const busyRetryAfterSeconds = 1;

export function answerError(error: ApiError, headers: readonly string[] = []): Answer {
  const status = errorStatuses[error.code];
  const retry = status === 503 ? ['Retry-After', String(busyRetryAfterSeconds)] : [];
  return { status, body: formatError(error), headers: [...retry, ...headers] };
}

/** Malformed input that the transport itself noticed. */
export function answerMalformed(message: string): Answer {
  return answerError({ code: 'invalid_request', message });
}
