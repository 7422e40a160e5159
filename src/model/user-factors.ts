// The means of a user to prove who it is, besides a password: the JSON in `User.factors`. Plain values; `writes` decides about them.
import { assert } from '../base/assert.ts';
import type { LoginFailures } from './login-delay.ts';

/** A key pair of a device or password manager (WebAuthn); the user has the private key. */
export interface Passkey {
  /** UUIDv7. */
  readonly id: string;
  /** Chosen by the device, in base64url. */
  readonly credentialId: string;
  /** In COSE form (RFC 9052 section 7), in base64url. */
  readonly publicKey: string;
  /** Rises with each use; 0: the device does not count. */
  readonly counter: number;
  /** How the device can be reached; for browsers. */
  readonly transports: readonly PasskeyTransport[];
  readonly name: string;
  readonly createdAtSeconds: number;
  /** Null: not used yet. */
  readonly usedAtSeconds: number | null;
}

export type PasskeyTransport = (typeof passkeyTransports)[number];

/** WebAuthn level 3 section 5.8.4. Browsers ignore others, and so do we. */
export const passkeyTransports = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'] as const;

/** The secret of one-time codes. */
export interface OneTimeCode {
  /** UUIDv7. It tells one secret from the next, also after it was sealed again. */
  readonly id: string;
  /** In base64url. */
  readonly sealed: string;
  /** The secret that seals it, as in `KeySecrets`. */
  readonly secretId: string;
  readonly createdAtSeconds: number;
  /** The time step of the last code that was used; 0: none was. */
  readonly lastStep: number;
}

/** A challenge that was signed and accepted, and is good for nothing until it expires. */
export interface UsedChallenge {
  readonly id: string;
  readonly expiresAtSeconds: number;
}

export interface UserFactors {
  readonly passkeys: readonly Passkey[];
  /** A password alone is not enough while there is one. */
  readonly oneTimeCode: OneTimeCode | null;
  /** The secret that is to take its place once the user has shown a code of it. */
  readonly pendingCode: OneTimeCode | null;
  /** Hashes of the recovery codes that have not been used; none without one-time codes. */
  readonly recoveryCodes: readonly string[];
  /** Those that have not expired. */
  readonly usedChallenges: readonly UsedChallenge[];
  /** Since the last right one; null: none. They are counted here, for all processes. */
  readonly wrongCodes: LoginFailures | null;
}

/** Devices, password managers and security keys of one person. */
export const MAX_PASSKEYS = 20;

/** As long as other labels, and shorter than a line. */
export const MAX_PASSKEY_NAME_CHARACTERS = 100;

/** WebAuthn level 3 section 4. */
export const MAX_CREDENTIAL_ID_OCTETS = 1023;

/** A key of 4,096 bits for RSA takes some 530. */
export const MAX_PUBLIC_KEY_OCTETS = 600;

/** Log-ins with passkeys within the lifetime of a challenge: more than sessions that a user can have. */
export const MAX_USED_CHALLENGES = 30;

/** Rows without wrong codes do not say so. */
type StoredFactors = Omit<UserFactors, 'wrongCodes'> & Partial<Pick<UserFactors, 'wrongCodes'>>;

/** A passkey takes at most 2.7 kB, 20 of them 54 kB, and all else 4 kB. Real rows have less than 1 kB. */
export const MAX_FACTORS_CHARACTERS = 65_536;

const noFactors: UserFactors = {
  passkeys: [],
  oneTimeCode: null,
  pendingCode: null,
  recoveryCodes: [],
  usedChallenges: [],
  wrongCodes: null,
};

/** @throws if the text is damaged: a user who has a second factor must never pass for one without it */
export function parseUserFactors(text: string | null): UserFactors {
  if (text === null) return noFactors;
  const value: unknown = JSON.parse(text);
  assert(isUserFactors(value), 'the factors of a user are as they were written');
  return { ...value, wrongCodes: value.wrongCodes ?? null };
}

/** Returns null if there are none. */
export function formatUserFactors(factors: UserFactors): string | null {
  const { passkeys, oneTimeCode, pendingCode, recoveryCodes, usedChallenges, wrongCodes } = factors;
  const lists = [passkeys, recoveryCodes, usedChallenges];
  if (oneTimeCode === null && pendingCode === null && lists.every(({ length }) => length === 0)) return null;
  const text = JSON.stringify({
    passkeys,
    oneTimeCode,
    pendingCode,
    recoveryCodes,
    usedChallenges,
    wrongCodes: wrongCodes ?? undefined,
  });
  assert(text.length <= MAX_FACTORS_CHARACTERS, 'every part of the factors has its own limit');
  return text;
}

type Shape<T> = { readonly [K in keyof T]-?: (value: unknown) => boolean };

const isText = (value: unknown): boolean => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const orNull =
  (isValue: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || isValue(value);
const listOf =
  (isItem: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isItem);

function has<T>(shape: Shape<T>): (value: unknown) => boolean {
  const members = Object.entries<(value: unknown) => boolean>(shape);
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    members.every(([name, isMember]) => isMember((value as Readonly<Record<string, unknown>>)[name]));
}

const isOneTimeCode = has<OneTimeCode>({
  id: isText,
  sealed: isText,
  secretId: isText,
  createdAtSeconds: isCount,
  lastStep: isCount,
});

const isFailures = has<LoginFailures>({ count: isCount, lastMs: isCount });

const isFactors = has<UserFactors>({
  passkeys: listOf(
    has<Passkey>({
      id: isText,
      credentialId: isText,
      publicKey: isText,
      counter: isCount,
      transports: listOf((value) => passkeyTransports.some((known) => known === value)),
      name: isText,
      createdAtSeconds: isCount,
      usedAtSeconds: orNull(isCount),
    }),
  ),
  oneTimeCode: orNull(isOneTimeCode),
  pendingCode: orNull(isOneTimeCode),
  recoveryCodes: listOf(isText),
  usedChallenges: listOf(has<UsedChallenge>({ id: isText, expiresAtSeconds: isCount })),
  wrongCodes: (value) => value === undefined || isFailures(value),
});

function isUserFactors(value: unknown): value is StoredFactors {
  return isFactors(value);
}
