// Request body → checked members. The body is UTF-8 JSON, whatever its Content-Type says (contract rule 2).
import { isUtf8 } from 'node:buffer';
import type { BodyShape, CheckedBody } from '../contract/body-shape.ts';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';

/** @param raw the body's bytes; anything else: the request had none. */
export function readBody<T>(raw: unknown, shape: BodyShape<T>): CheckedBody<T> {
  const body = parseJson(raw);
  if (body.ok) return shape.check(body.value);
  return { ok: false, refusal: { code: 'invalid_request', message: body.problem } };
}

function parseJson(raw: unknown): Parsed<unknown> {
  if (!Buffer.isBuffer(raw) || raw.length === 0) return malformed('The request body is empty');
  if (!isUtf8(raw)) return malformed('The request body is not valid UTF-8');
  const text = raw.toString('utf8');
  try {
    // RFC 8259 section 8.1 lets a parser ignore a byte order mark.
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    // Only an escape can spell half a surrogate pair, which no UTF-8 text could carry any further.
    if (text.includes('\\u') && hasLoneSurrogate(value)) {
      return malformed('The request body holds half a surrogate pair');
    }
    return parsed(value);
  } catch {
    return malformed('The request body is not valid JSON');
  }
}

/** Looks at a body's own members only: nothing deeper is ever read. */
function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => typeof member === 'string' && /\p{Surrogate}/u.test(member));
}
