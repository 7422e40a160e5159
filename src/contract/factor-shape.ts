// Passkeys, one-time codes and recovery codes: bodies of requests and shapes of answers.
import { passkeyTransports } from '../model/user-factors.ts';
import { bodyShape, optionalText } from './body-shape.ts';
import { assertionShape, registrationShape } from './credential-shape.ts';
import { Type, type Static } from './schema.ts';

const EXAMPLE_ID = '0193489f-8a3b-7abc-8def-0123456789ab';
const EXAMPLE_DATE = '2026-11-20T09:03:31+00:00';

const date = (description: string) =>
  Type.String({ format: 'date-time', description, examples: [EXAMPLE_DATE] });

export const passkeySignInBody = bodyShape(Type.Object({ credential: assertionShape.schema }));

export const addPasskeyBody = bodyShape(
  Type.Object({
    credential: registrationShape.schema,
    name: optionalText('By which the user recognises it', ['Laptop']),
  }),
);

export const renamePasskeyBody = bodyShape(
  Type.Object({ name: Type.String({ examples: ['Laptop'] }) }, { examples: [{ name: 'Laptop' }] }),
);

export const confirmCodeBody = bodyShape(
  Type.Object(
    { code: Type.String({ description: 'The code that the app shows', examples: ['123456'] }) },
    { examples: [{ code: '123456' }] },
  ),
);

export const passkeyShape = Type.Object({
  id: Type.String({ format: 'uuid', examples: [EXAMPLE_ID] }),
  credential_id: Type.String({ description: 'In base64url; browsers know the passkey by it' }),
  name: Type.String({ examples: ['Laptop'] }),
  transports: Type.Array(Type.Enum([...passkeyTransports]), {
    description: 'How the device can be reached',
  }),
  date_created: date('When it was registered'),
  date_used: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'The last log-in with it; null: there was none',
  }),
});

export const factorsReply = Type.Object({
  factors: Type.Object({
    password: Type.Boolean({ description: 'The user has a password' }),
    passkeys: Type.Array(passkeyShape),
    one_time_code: Type.Union([Type.Object({ date_created: date('When it was set up') }), Type.Null()], {
      description: 'With it, a password alone is not enough; null: not set up',
    }),
    recovery_codes: Type.Integer({ description: 'So many are left' }),
  }),
});

export const passkeyReply = Type.Object({ passkey: passkeyShape });

const descriptorShape = Type.Object({
  type: Type.Enum(['public-key']),
  id: Type.String(),
  transports: Type.Array(Type.String()),
});

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const signOptionsReply = Type.Object({
  options: Type.Object({
    challenge: Type.String({ description: 'Good once, for five minutes' }),
    timeout: Type.Integer({ description: 'Milliseconds', examples: [300_000] }),
    rpId: Type.String({ examples: ['dns.example.net'] }),
    allowCredentials: Type.Array(descriptorShape),
    userVerification: Type.Enum(['required']),
  }),
});

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const registerOptionsReply = Type.Object({
  options: Type.Object({
    rp: Type.Object({ id: Type.String({ examples: ['dns.example.net'] }), name: Type.String() }),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    challenge: Type.String({ description: 'Good once, for five minutes' }),
    pubKeyCredParams: Type.Array(Type.Object({ type: Type.Enum(['public-key']), alg: Type.Integer() })),
    timeout: Type.Integer({ description: 'Milliseconds', examples: [300_000] }),
    excludeCredentials: Type.Array(descriptorShape),
    authenticatorSelection: Type.Object({
      residentKey: Type.Enum(['required']),
      requireResidentKey: Type.Boolean(),
      userVerification: Type.Enum(['required']),
    }),
    attestation: Type.Enum(['none']),
  }),
});

export const codeSetupReply = Type.Object({
  one_time_code: Type.Object({
    secret: Type.String({
      description: 'In base32, to be typed into an app',
      examples: ['JBSWY3DPEHPK3PXP'],
    }),
    uri: Type.String({
      description: 'The same for a QR code',
      examples: ['otpauth://totp/Zonewright:anna%40example.com?secret=JBSWY3DPEHPK3PXP'],
    }),
  }),
});

export const recoveryCodesReply = Type.Object({
  recovery_codes: Type.Array(Type.String(), {
    description: 'Each is good once. Only this answer shows them',
    examples: [['k7c2m-0q9tw-x4v8e-h3ndy']],
  }),
});

export type PasskeyJson = Readonly<Static<typeof passkeyShape>>;
export type FactorsJson = Static<typeof factorsReply>['factors'];
export type SignOptionsJson = Static<typeof signOptionsReply>['options'];
export type RegisterOptionsJson = Static<typeof registerOptionsReply>['options'];
export type CodeSetupJson = Static<typeof codeSetupReply>['one_time_code'];
