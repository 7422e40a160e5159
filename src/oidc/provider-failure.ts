import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import type { ProviderFailure } from './open-id-provider.ts';

/** Codes of the library for a provider that is not well; all others are about this log-in. */
const awayCodes: ReadonlySet<unknown> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

/** Tells what an error of the library means. */
export function failureOf(error: unknown): ProviderFailure {
  if (error instanceof AuthorizationResponseError)
    return { ok: false, kind: 'rejected', reason: `The provider has answered ${printable(error.error)}` };
  if (error instanceof ResponseBodyError) {
    const kind = error.error === 'invalid_grant' ? 'rejected' : 'away';
    return { ok: false, kind, reason: `The provider has answered ${printable(error.error)}` };
  }
  const kind = error instanceof ClientError && !awayCodes.has(error.code) ? 'rejected' : 'away';
  return { ok: false, kind, reason: error instanceof Error ? error.message : String(error) };
}

/** An error code of RFC 6749 section 4.1.2.1, or what a provider sends instead. */
function printable(code: string): string {
  return code.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 60);
}

/** For the log: never a token, a code or an answer of the provider. */
export function detailsOf(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { reason: String(error) };
  const { message: reason, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  return { reason, code, cause: cause instanceof Error ? cause.message : undefined };
}
