// Parses a request body and checks its members. A body is UTF-8 JSON, whatever its Content-Type (contract rule 2).
import { isUtf8 } from 'node:buffer';
import type { BodyShape, CheckedBody } from '../contract/body-shape.ts';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { runInSteps } from '../base/steps.ts';
import { checkJsonExtent } from './check-json-extent.ts';
import { HALF_PAIR, hasHalfPair, NOT_JSON } from './json-problems.ts';
import { parseLargeJson } from './parse-large-json.ts';

/** @param raw the body's bytes; anything else means that the request has no body */
export function readBody<T>(raw: unknown, shape: BodyShape<T>): CheckedBody<T> {
  const body = parseJson(raw);
  if (body.ok) return shape.check(body.value);
  return { ok: false, refusal: { code: 'invalid_request', message: body.problem } };
}

/** A body that takes longer to parse, some 5 ms, is parsed in steps. */
const LARGE_BODY_BYTES = 512 * 1024;

/** As `readBody`, for bodies that may be large. */
export async function readLargeBody<T>(raw: unknown, shape: BodyShape<T>): Promise<CheckedBody<T>> {
  if (!isPresent(raw) || raw.length <= LARGE_BODY_BYTES || !isUtf8(raw)) return readBody(raw, shape);
  const bytes = raw.subarray(0, 3).equals(byteOrderMark) ? raw.subarray(3) : raw;
  if (!beginsLikeJson(bytes)) return readBody(raw, shape);
  const body = await runInSteps(parseLargeJson(bytes));
  if (body.ok) return shape.check(body.value);
  return { ok: false, refusal: { code: 'invalid_request', message: body.problem } };
}

/** Reads a missing body as `{}`. */
export function readOptionalBody<T>(raw: unknown, shape: BodyShape<T>): CheckedBody<T> {
  return isPresent(raw) ? readBody(raw, shape) : shape.check({});
}

/** The body of an import: JSON if it begins like an object, otherwise the text of a zone file. */
export type ZoneBody = { readonly kind: 'json' } | { readonly kind: 'text'; readonly text: string };

export function readZoneBody(raw: unknown): Parsed<ZoneBody> {
  const bytes = bodyBytes(raw);
  if (!bytes.ok) return bytes;
  if (beginsLikeJson(bytes.value)) return parsed({ kind: 'json' });
  const text = bytes.value.toString('utf8');
  return parsed({ kind: 'text', text: text.startsWith('\ufeff') ? text.slice(1) : text });
}

const LEFT_BRACE = 0x7b;

function beginsLikeJson(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  for (let at = start; at < bytes.length; at++) {
    // Space, tab, line feed, carriage return (RFC 8259 section 2).
    if (![0x20, 0x09, 0x0a, 0x0d].includes(bytes[at])) return bytes[at] === LEFT_BRACE;
  }
  return false;
}

const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf);

function bodyBytes(raw: unknown): Parsed<Buffer> {
  if (!isPresent(raw)) return malformed('The request body is empty');
  return isUtf8(raw) ? parsed(raw) : malformed('The request body is not valid UTF-8');
}

function isPresent(raw: unknown): raw is Buffer {
  return Buffer.isBuffer(raw) && raw.length > 0;
}

function parseJson(raw: unknown): Parsed<unknown> {
  const bytes = bodyBytes(raw);
  if (!bytes.ok) return bytes;
  const excess = checkJsonExtent(bytes.value);
  if (excess !== undefined) return malformed(excess);
  const text = bytes.value.toString('utf8');
  try {
    // RFC 8259 section 8.1 lets a parser ignore a byte order mark.
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return text.includes('\\u') && hasHalfPair(value) ? malformed(HALF_PAIR) : parsed(value);
  } catch {
    return malformed(NOT_JSON);
  }
}
