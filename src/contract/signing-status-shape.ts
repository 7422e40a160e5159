// The shapes of the state of a domain's signatures and of rollovers, for the OpenAPI document and typed clients.
import { Type, type Static } from './schema.ts';

const EXAMPLE_DS = '27933 13 2 E2D3C916F6DEEAC73294E8268FB5885044A833FC5459588F4A9184CFC41A5766';
const EXAMPLE_DATE = '2026-11-20T09:03:31+00:00';

/** The states of a domain (contract rule 61). */
export const signingStates = [
  'unsigned',
  'signing',
  'waiting_for_ds',
  'secure',
  'bogus',
  'signed',
  'rolling',
  'going_insecure',
  'moving_away',
] as const;

/** The words for the uses of a key (contract rule 61). */
export const keyStates = ['active', 'publishing', 'retiring'] as const;

/** Every own key has the first of them. */
export const keyRoles = ['csk', 'ksk', 'zsk'] as const;

export const keyOrigins = ['made', 'imported', 'foreign', 'file'] as const;

/** Contract rule 65. */
export const rolloverKinds = ['key', 'shared', 'algorithm', 'withdrawal'] as const;

export const rolloverStepNames = [
  'signing',
  'published',
  'announced',
  'signed',
  'unpublished',
  'withdrawing',
] as const;

const keyShape = Type.Object({
  id: Type.String({ format: 'uuid' }),
  tag: Type.Integer({ examples: [27933] }),
  algorithm: Type.Integer({ description: '13: ECDSA P-256; 15: Ed25519', examples: [13] }),
  role: Type.Enum(keyRoles, {
    description:
      'csk: it signs everything; ksk: another provider signs its keys with it; zsk: another provider signs records with it',
  }),
  state: Type.Enum(keyStates, {
    description:
      'active: the parent zone has, or has to have, its DS record; publishing: it comes in by a rollover; retiring: its DS record has to go',
  }),
  origin: Type.Enum(keyOrigins, {
    description: 'foreign: a key of another provider; file: a key of a zone that another signer has signed',
  }),
  date_created: Type.String({ format: 'date-time', examples: [EXAMPLE_DATE] }),
});

const seenShape = Type.Object({
  server: Type.String({
    description: 'A nameserver of the parent zone; owner: what the owner has said',
    examples: ['a.gtld-servers.net'],
  }),
  address: Type.Union([Type.String(), Type.Null()], { examples: ['192.5.6.30'] }),
  ds: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Its DS records of the domain; null if they are not known',
    examples: [[EXAMPLE_DS]],
  }),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'Why they are not known' }),
});

export const rolloverShape = Type.Object({
  id: Type.String({ format: 'uuid' }),
  kind: Type.Enum(rolloverKinds, {
    description:
      'key: another key of the same algorithm comes in; shared: the same, beside keys of other providers; withdrawal: signing is being switched off',
  }),
  step: Type.Enum(rolloverStepNames, { examples: ['published'] }),
  date_created: Type.String({ format: 'date-time', examples: [EXAMPLE_DATE] }),
  date_step: Type.String({
    format: 'date-time',
    description: 'When the step began',
    examples: [EXAMPLE_DATE],
  }),
  date_next: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When the TTL that the step waits for has passed; null: its condition is not met yet',
  }),
  held: Type.Boolean({ description: 'Its owner holds it: no step follows by itself' }),
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
  rollover: Type.Union([rolloverShape, Type.Null()], { description: 'null: none is in progress' }),
  earliest_expiry: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'No signature of the domain expires before; null: it is not signed',
  }),
  progress: Type.Union([Type.Object({ done: Type.Integer(), total: Type.Integer() }), Type.Null()], {
    description:
      'How far the signatures of a large domain are made or removed, in names, each counted for every pass; null: nothing is left to do',
  }),
});

export const signingStatusReply = Type.Object({ dnssec: signingStatusShape });

export const rolloverReply = Type.Object({ rollover: rolloverShape });

export type SigningStatusJson = Readonly<Static<typeof signingStatusShape>>;
/** The exchange of the key of a domain, or the withdrawal of signing. */
export type RolloverJson = Readonly<Static<typeof rolloverShape>>;
