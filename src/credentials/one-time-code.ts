// One-time codes by time (RFC 6238), as authenticator apps show them. Never stores a secret or a code.
import { Secret, TOTP } from 'otpauth';

/** Every app supports this form; several know no other. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** As long as the hash (RFC 4226 section 4, R6). */
const SECRET_OCTETS = 20;

/** Steps by which the clocks may differ each way, and a person may be late (RFC 6238 section 5.2). */
const DRIFT_STEPS = 1;

export function newOneTimeCodeSecret(): Uint8Array {
  return new Secret({ size: SECRET_OCTETS }).bytes;
}

/** How an app gets the secret: as the content of a QR code, and as text to be typed. */
export interface OneTimeCodeSetup {
  /** `otpauth://totp/…` */
  readonly uri: string;
  /** In base32. */
  readonly secret: string;
}

/**
 * @param issuer names the service in the app
 * @param label names the user in the app
 */
export function formatOneTimeCodeSetup(secret: Uint8Array, issuer: string, label: string): OneTimeCodeSetup {
  const code = new TOTP({ ...form, issuer, label, secret: toSecret(secret) });
  return { uri: code.toString(), secret: code.secret.base32 };
}

/** Whether a text can be such a code, once spaces are removed; others are taken for recovery codes. */
export function isOneTimeCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}

/**
 * Returns the time step of the code. It is later than `lastStep`, so that a code that somebody has seen is good for nothing once
 * it was used (RFC 6238 section 5.2). Undefined: the code is wrong, or was used.
 *
 * @param lastStep the step of the last code that was used; 0: none was
 */
export function findCodeStep(
  secret: Uint8Array,
  code: string,
  lastStep: number,
  nowMs: number,
): number | undefined {
  const delta = TOTP.validate({
    ...form,
    secret: toSecret(secret),
    token: code,
    timestamp: nowMs,
    window: DRIFT_STEPS,
  });
  if (delta === null) return undefined;
  const step = TOTP.counter({ period: form.period, timestamp: nowMs }) + delta;
  return step > lastStep ? step : undefined;
}

function toSecret(octets: Uint8Array): Secret {
  return new Secret({ buffer: new Uint8Array(octets).buffer });
}
