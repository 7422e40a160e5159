// The shape of the answer to `GET /v2/domains/{d}/dnssec/status`, for the OpenAPI document and typed clients.
import { Type, type Static } from './schema.ts';

const EXAMPLE_DS = '27933 13 2 E2D3C916F6DEEAC73294E8268FB5885044A833FC5459588F4A9184CFC41A5766';
const EXAMPLE_DATE = '2026-11-20T09:03:31+00:00';

/** The states of a domain (contract rule 61). */
export const signingStates = ['unsigned', 'waiting_for_ds', 'secure', 'bogus', 'signed'] as const;

const keyShape = Type.Object({
  id: Type.String({ format: 'uuid' }),
  tag: Type.Integer({ examples: [27933] }),
  algorithm: Type.Integer({ description: '13: ECDSA P-256; 15: Ed25519', examples: [13] }),
  role: Type.Enum(['csk'], { description: 'csk: it signs everything' }),
  state: Type.Enum(['active']),
  date_created: Type.String({ format: 'date-time', examples: [EXAMPLE_DATE] }),
});

const seenShape = Type.Object({
  server: Type.String({ description: 'A nameserver of the parent zone', examples: ['a.gtld-servers.net'] }),
  address: Type.Union([Type.String(), Type.Null()], { examples: ['192.5.6.30'] }),
  ds: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Its DS records of the domain; null if they are not known',
    examples: [[EXAMPLE_DS]],
  }),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'Why they are not known' }),
});

export const signingStatusShape = Type.Object({
  state: Type.Enum(signingStates, { examples: ['waiting_for_ds'] }),
  next_step: Type.String({ description: 'What the owner has to do: sentences for people' }),
  denial: Type.Union([Type.Enum(['nsec', 'nsec3']), Type.Null()], { description: 'null: it is not signed' }),
  keys: Type.Array(keyShape),
  ds: Type.Object({
    wanted: Type.Array(Type.String(), {
      description: 'Data of the DS records that the parent zone has to have',
      examples: [[EXAMPLE_DS]],
    }),
    seen: Type.Array(seenShape, { description: 'Each address of each nameserver of the parent zone' }),
    date_checked: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the nameservers were asked; null if they were not',
    }),
  }),
  earliest_expiry: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'No signature of the domain expires before; null: it is not signed',
  }),
});

export const signingStatusReply = Type.Object({ dnssec: signingStatusShape });

export type SigningStatusJson = Readonly<Static<typeof signingStatusShape>>;
