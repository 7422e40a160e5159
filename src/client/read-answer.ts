import { ZONE_SERIAL_HEADER } from '../contract/zone-serial-header.ts';
import type { WarningJson } from '../contract/response-shapes.ts';
import { parseWarningsHeader, ZONE_WARNINGS_HEADER } from '../contract/warnings-header.ts';
import { ApiError } from './api-error.ts';

/** A successful answer, or a 304. */
export interface Answer {
  /** The address of the service. */
  readonly url: string;
  readonly status: number;
  /** The parsed JSON, or the text or stream if the request expects one; undefined if the body was empty. */
  readonly body: unknown;
  /** The domain's serial; after a write, the serial that includes the write (contract rule 36). */
  readonly zoneSerial: number | undefined;
  /** The warnings about the write, if they were asked for. */
  readonly warnings?: WarningJson[];
  /** The number of warnings that did not fit into the answer. */
  readonly moreWarnings?: number;
  /** The revision that the answer shows or the write produced, with its quotes; undefined if the service sent none. */
  readonly etag: string | undefined;
}

/** @throws ApiError for statuses other than 2xx and 304, and for a malformed body */
export function readAnswer(url: string, response: Response, text: string, wantsText: boolean): Answer {
  const { status, headers } = response;
  const json = parseJson(text);
  if ((response.ok && (wantsText || text === '' || json !== undefined)) || status === 304)
    return {
      url,
      status,
      body: wantsText ? text : json,
      zoneSerial: zoneSerialOf(headers),
      ...warningsOf(headers),
      etag: headers.get('etag') ?? undefined,
    };
  const { error, code, field, problems, more } = (json ?? {}) as ErrorBody;
  if (typeof error !== 'string') throw notOurs(url, status);
  throw new ApiError(status, error, {
    code: asText(code),
    field: asText(field),
    problems: Array.isArray(problems) ? problems : [],
    more: typeof more === 'number' ? more : 0,
    requestId: headers.get('x-request-id') ?? undefined,
  });
}

/** An answer whose body is still to come. */
export function readStream(url: string, { status, headers }: Response, body: ReadableStream): Answer {
  return { url, status, body, zoneSerial: zoneSerialOf(headers), etag: headers.get('etag') ?? undefined };
}

/** Returns one member of a JSON answer. @throws ApiError if it is missing, because then the server is not Zonewright */
export function memberOf({ url, status, body }: Answer, name: string): unknown {
  const value = (body as Readonly<Record<string, unknown>> | undefined)?.[name];
  if (value === undefined || value === null) throw notOurs(url, status);
  return value;
}

export function notOurs(url: string, status: number): ApiError {
  return new ApiError(status, `${url} answered ${status}, but not as Zonewright does`);
}

type ErrorBody = Partial<Record<'error' | 'code' | 'field' | 'problems' | 'more', unknown>>;

function zoneSerialOf(headers: Headers): number | undefined {
  const text = headers.get(ZONE_SERIAL_HEADER) ?? '';
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

function warningsOf(headers: Headers): Pick<Answer, 'warnings' | 'moreWarnings'> {
  const text = headers.get(ZONE_WARNINGS_HEADER);
  if (text === null) return {};
  const { warnings, more } = parseWarningsHeader(text);
  return { warnings, ...(more > 0 && { moreWarnings: more }) };
}

function parseJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
