// What a route gives back: a status and the ready text of a body. Knows nothing of sockets and of fastify.
import { errorStatuses, formatError, type ApiError } from '../contract/errors.ts';
import { formatDryRunReply } from '../contract/format-changes.ts';
import { zoneSerialHeader } from '../contract/zone-serial-header.ts';
import type { Outcome } from '../model/refusal.ts';
import type { Written } from '../operations/commit-write.ts';

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
export function answerCreated<T>(outcome: Written<T>, format: (value: T) => string): Answer {
  if (!outcome.ok) return answerError(outcome.refusal);
  return (
    findDryRunAnswer(outcome) ?? {
      status: outcome.created ? 201 : 200,
      body: format(outcome.value),
      ...aboutDomain(outcome),
    }
  );
}

export function answerFound<T>(outcome: Outcome<T>, format: (value: T) => string): Answer {
  if (!outcome.ok) return answerError(outcome.refusal);
  return { status: 200, body: format(outcome.value), ...aboutDomain(outcome) };
}

/** 200 with a text that may be long. */
export function answerStream<T>(
  outcome: Written<T>,
  format: (value: T) => Required<Answer>['stream'],
  contentType?: string,
): Answer {
  if (!outcome.ok) return answerError(outcome.refusal);
  const dryRun = findDryRunAnswer(outcome);
  if (dryRun !== undefined) return dryRun;
  const stream = format(outcome.value);
  return { status: 200, body: '', stream, ...aboutDomain(outcome), ...(contentType && { contentType }) };
}

/** 204 where it was done. */
export function answerDone(outcome: Written<unknown>): Answer {
  if (!outcome.ok) return answerError(outcome.refusal);
  return findDryRunAnswer(outcome) ?? { status: 204, body: '', ...aboutDomain(outcome) };
}

/** Of a dry run: what it would change, whatever the write itself answers (contract rule 41). */
function findDryRunAnswer(outcome: Written<unknown> & { readonly ok: true }): Answer | undefined {
  const { difference, warnings = [] } = outcome;
  if (difference === undefined) return undefined;
  return answerDryRun(outcome, { difference, warnings });
}

/** Without a serial: there is none to wait for. */
export function answerDryRun(
  { revision }: Pick<Done, 'revision'>,
  plan: Parameters<typeof formatDryRunReply>[0],
): Answer {
  return { status: 200, body: '', stream: formatDryRunReply(plan), ...tag(revision) };
}

type Done = Outcome<unknown> & { readonly ok: true };

/** What to ask the nameservers for, or how far they have come (contract rule 36); and the revision (rule 42). */
function aboutDomain({ serial, revision }: Done): Pick<Answer, 'headers' | 'etag'> {
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
