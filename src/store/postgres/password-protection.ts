// Keeps passwords off connections that others can read: which requests of a server are refused, and what the operator is told.
import type pg from 'pg';
import { messageOf, PasswordWithheld, sqlState } from './postgres-errors.ts';

/**
 * `open`: on this machine, without encryption; `unasked`: elsewhere, because the operator chose `sslmode=disable`;
 * `fallen back`: elsewhere, because the server, or somebody in between, offers no encryption.
 */
export type Protection = 'encrypted' | 'open' | 'unasked' | 'fallen back';

export const NO_FALLBACK =
  'the server offers no TLS, and a password is not sent without it: enable TLS on the server, or choose sslmode=disable for SCRAM in clear';

/** For operators whose URL worked before certificates were checked. */
export function withAdvice(error: unknown): unknown {
  const isAboutTls = /SSL|TLS|certificate|self.signed|issuer|altnames|Hostname\/IP/i.test(messageOf(error));
  if (!isAboutTls || sqlState(error) !== undefined) return error;
  return new Error(`${messageOf(error)} (${ADVICE})`, { cause: error });
}

const ADVICE =
  'without sslmode, a server elsewhere needs a certificate that sslrootcert, or an authority known to Node, has signed for its name';

/** Requests that reveal the password, or an equivalent of it, to a third party that reads or answers on the way. */
const revealing = ['authenticationCleartextPassword', 'authenticationMD5Password'] as const;

/**
 * Ends the connection when the server asks for a password that must not be sent. Registered before the driver's own
 * listeners, which then write to a destroyed socket.
 */
export function withholdPassword(client: pg.Client, protection: Protection): void {
  if (protection === 'encrypted' || protection === 'open') return;
  const refused = protection === 'unasked' ? revealing : [...revealing, 'authenticationSASL'];
  for (const request of refused) {
    client.connection.on(request, () => {
      const kind =
        request === 'authenticationCleartextPassword' ? 'in clear' : 'as a hash that can be used again';
      const message =
        request === 'authenticationSASL'
          ? NO_FALLBACK
          : `the server asks for the password ${kind} on a connection without TLS, and does not get it: use TLS, or SCRAM (password_encryption = scram-sha-256)`;
      client.connection.stream.destroy(new PasswordWithheld(message));
    });
  }
}
