// The answer of a route: a status and the text of a body. Independent of sockets and of fastify.
import { errorStatuses, formatError, type ApiError, type ErrorCode } from '../contract/errors.ts';
import { formatDryRunReply } from '../contract/format-changes.ts';
import { formatWarningsHeader, ZONE_WARNINGS_HEADER } from '../contract/warnings-header.ts';
import { HISTORY_START_HEADER, ZONE_SERIAL_HEADER } from '../contract/zone-serial-header.ts';
import type { ReadResult, ReadSuccess, WriteResult, WriteSuccess } from '../model/result.ts';

export interface Answer {
  readonly status: number;
  /** One line of JSON; empty with 204, with 304 and if there is a stream. */
  readonly body: string;
  /** A long body, generated in pieces while it is sent. */
  readonly stream?: Iterable<string> | AsyncIterable<string | Uint8Array>;
  /** The media type of a body that is not JSON. */
  readonly contentType?: string;
  /** The entity tag, with its quotes. */
  readonly etag?: string | undefined;
  /** Further headers: name, value, name, value … */
  readonly headers?: readonly string[];
  /** Present if the answer is an error. */
  readonly code?: ErrorCode;
  /** The sentence of the error, whole. */
  readonly reason?: string;
}

/** Answers with a resource: 201 if it was created, 200 if it existed. */
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

/** Answers 200 with a text that may be long. */
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

/** Answers 204 after a success. */
export function answerDone(result: WriteResult<unknown>): Answer {
  if (!result.ok) return answerError(result.refusal);
  return findDryRunAnswer(result) ?? { status: 204, body: '', ...aboutDomain(result) };
}

/** Returns the answer to a dry run, which is the same for all writes to domains (contract rule 41). */
function findDryRunAnswer(result: ReadSuccess<unknown> | WriteSuccess<unknown>): Answer | undefined {
  const { difference, warnings = [] }: Partial<WriteSuccess<unknown>> = result;
  return difference && answerDryRun(result, { difference, warnings });
}

/** A dry run has no serial to wait for. */
export function answerDryRun(
  { revision }: Pick<ReadSuccess<unknown>, 'revision'>,
  plan: Parameters<typeof formatDryRunReply>[0],
): Answer {
  return { status: 200, body: '', stream: formatDryRunReply(plan), ...tag(revision) };
}

type AboutDomain = ReadSuccess<unknown> & Pick<WriteSuccess<unknown>, 'warnings'>;

/** The domain's serial (contract rule 36), revision (rule 42) and the warnings that were asked for (rule 52). */
function aboutDomain({
  serial,
  revision,
  historyStart,
  warnings = [],
}: AboutDomain): Pick<Answer, 'headers' | 'etag'> {
  const headers = [
    ...(serial === undefined ? [] : [ZONE_SERIAL_HEADER, String(serial)]),
    ...(warnings.length === 0 ? [] : [ZONE_WARNINGS_HEADER, formatWarningsHeader(warnings)]),
    ...(historyStart === undefined ? [] : [HISTORY_START_HEADER, String(historyStart)]),
  ];
  return { ...(headers.length > 0 && { headers }), ...tag(revision) };
}

function tag(revision: string | undefined): Pick<Answer, 'etag'> {
  return revision === undefined ? {} : { etag: revision };
}

/** A full queue empties in less than a second. */
const BUSY_RETRY_AFTER_SECONDS = 1;

/** A 503 that an operator has to end: a client that waited would only ask again in vain. */
const lasting: ReadonlySet<ErrorCode> = new Set(['dnssec_unavailable', 'oidc_unavailable']);

export function answerError(error: ApiError, headers: readonly string[] = []): Answer {
  const status = errorStatuses[error.code];
  const isBusy = status === 503 && !lasting.has(error.code);
  const retryAfterSeconds = error.retryAfterSeconds ?? (isBusy ? BUSY_RETRY_AFTER_SECONDS : undefined);
  const retry = retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)];
  const { code, message: reason } = error;
  return { status, body: formatError(error), headers: [...retry, ...headers], code, reason };
}

/** For malformed input that the transport detects itself. */
export function answerMalformed(message: string): Answer {
  return answerError({ code: 'invalid_request', message });
}
