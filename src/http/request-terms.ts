// Reads the terms of a request from headers and query: dry run, preconditions, idempotency key and note (contract rules 41,
// 43, 44, 45).
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isUtf8 } from 'node:buffer';
import { assert } from '../base/assert.ts';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { isPersonal, type Endpoint } from '../contract/endpoint.ts';
import { parseIfMatch, parseIfNoneMatch } from '../contract/entity-tags.ts';
import { parseFlag } from '../contract/parse-flag.ts';
import type { RepeatableRequest, RequestTerms } from '../operations/requester.ts';
import { findBearerToken } from './bearer-token.ts';
import type { ApiRequest } from './route-handler.ts';
import { getSessionToken } from './session-cookie.ts';
import { MAX_NOTE_CHARACTERS } from '../contract/note-limit.ts';

/** The parts of a request that terms are read from. */
export type RawRequest = Pick<ApiRequest, 'query' | 'body'> & {
  readonly raw: Pick<IncomingMessage, 'method' | 'url' | 'headers'>;
};

const noDryRun = malformed('This request has no dry run');

/** A GET has the address alone, for the trail. */
export function readRequestTerms(
  { raw, query, body }: RawRequest,
  endpoint: Endpoint,
  address: string | undefined,
): Parsed<RequestTerms> {
  if (endpoint.method === 'GET') return parsed({ address });
  const { headers } = raw;
  const dryRun = parseFlag(query, 'dry_run');
  if (!dryRun.ok) return dryRun;
  if (isPersonal(endpoint)) return dryRun.value ? noDryRun : parsed({ address });
  const warnings = endpoint.warns === true ? parseFlag(query, 'warnings') : parsed(false);
  if (!warnings.ok) return warnings;
  const ifMatch = parseIfMatch(headers['if-match']);
  if (!ifMatch.ok) return ifMatch;
  const ifNoneMatch = parseIfNoneMatch(headers['if-none-match']);
  if (!ifNoneMatch.ok) return ifNoneMatch;
  const note = parseNote(headers['x-change-note']);
  if (!note.ok) return note;
  const idempotency = endpoint.method === 'POST' ? parseIdempotency(raw, body) : parsed(undefined);
  if (!idempotency.ok) return idempotency;
  return parsed({
    address,
    note: note.value,
    idempotency: idempotency.value,
    ifMatch: ifMatch.value,
    ifNoneMatch: ifNoneMatch.value,
    dryRun: dryRun.value ? true : undefined,
    wantsWarnings: warnings.value ? true : undefined,
  });
}

/** Node decodes header values as Latin-1; clients send UTF-8. */
function parseNote(header: string | readonly string[] | undefined): Parsed<string | undefined> {
  if (header === undefined) return parsed(undefined);
  const bytes = Buffer.from(String(header), 'latin1');
  const note = (isUtf8(bytes) ? bytes.toString('utf8') : String(header)).trim();
  if (note === '') return parsed(undefined);
  if (note.length <= MAX_NOTE_CHARACTERS && !/\p{Cc}/u.test(note)) return parsed(note);
  return malformed(`X-Change-Note must be at most ${MAX_NOTE_CHARACTERS} printable characters`);
}

const WELL_FORMED_KEY = /^[\x21-\x7e]{1,255}$/;

function parseIdempotency(raw: RawRequest['raw'], body: unknown): Parsed<RepeatableRequest | undefined> {
  const { method = '', url = '', headers } = raw;
  const header = headers['idempotency-key'];
  if (header === undefined) return parsed(undefined);
  const key = String(header);
  if (!WELL_FORMED_KEY.test(key)) {
    return malformed('Idempotency-Key must be 1 to 255 visible ASCII characters');
  }
  const hash = createHash('sha256').update(`${method} ${url}\n`);
  if (Buffer.isBuffer(body)) hash.update(body);
  return parsed({ key, hash: hash.digest('hex'), bearerText: () => getBearerToken(raw) });
}

function getBearerToken(raw: RawRequest['raw']): string {
  const text = findBearerToken(raw) ?? getSessionToken(raw);
  assert(text !== undefined, 'the gate admits only callers');
  return text;
}
