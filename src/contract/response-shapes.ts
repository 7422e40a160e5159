// What the service answers with, for the OpenAPI document and for typed clients. The texts themselves are built by
// the `format-*` modules; a test holds the two together.
import Type, { type Static } from 'typebox';
import { errorStatuses } from './errors.ts';

const exampleId = '0193489f-8a3b-7abc-8def-0123456789ab';
const exampleDate = '2026-11-20T09:03:31+00:00';

const metaShape = Type.Object({
  total: Type.Integer({ description: 'Exact number of rows in the whole list', examples: [1] }),
  links: Type.Object({
    next: Type.String({ description: 'Cursor of the next page, "" on the last' }),
    prev: Type.String({ description: 'Cursor of the page before, "" on the first' }),
  }),
});

const domainShape = Type.Object({
  domain: Type.String({ examples: ['example.com'] }),
  date_created: Type.String({ format: 'date-time', examples: [exampleDate] }),
  dns_sec: Type.Enum(['enabled', 'disabled'], { examples: ['disabled'] }),
});

const recordShape = Type.Object({
  id: Type.String({ format: 'uuid', examples: [exampleId] }),
  type: Type.String({ examples: ['A'] }),
  name: Type.String({ description: '"" is the domain itself', examples: ['www'] }),
  data: Type.String({ examples: ['192.0.2.1'] }),
  priority: Type.Integer({ examples: [-1] }),
  ttl: Type.Integer({ description: 'Seconds', examples: [300] }),
});

const soaShape = Type.Object({
  nsprimary: Type.String({ examples: ['ns1.example.net'] }),
  email: Type.String({ examples: ['hostmaster@example.com'] }),
});

const nameserverShape = Type.Object({
  id: Type.String({
    description: 'Of the nameserver process, kept over its restarts',
    examples: [exampleId],
  }),
  name: Type.String({ examples: ['ns1'] }),
  serial: Type.Union([Type.Integer(), Type.Null()], {
    description: 'What it serves; null: nothing of the domain yet',
    examples: [1763650001],
  }),
  date_taken: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When it took that serial; null: longer ago than is remembered, or never',
    examples: [exampleDate],
  }),
  date_seen: Type.String({
    format: 'date-time',
    description: 'When it was last heard of',
    examples: [exampleDate],
  }),
  live: Type.Boolean({ description: 'Heard of within the last 10 seconds' }),
  current: Type.Boolean({ description: 'It serves the serial that was asked for, or a later one' }),
});

const propagationShape = Type.Object({
  domain: Type.String({ examples: ['example.com'] }),
  serial: Type.Integer({
    description: 'The one that was asked for, else the domain’s',
    examples: [1763650001],
  }),
  current: Type.Boolean({ description: 'All live nameservers are current, and there is one' }),
  nameservers: Type.Array(nameserverShape),
});

const ownAccountShape = Type.Object({
  name: Type.String(),
  email: Type.String(),
  acls: Type.Array(Type.String(), { examples: [['dns']] }),
  balance: Type.Integer(),
  pending_charges: Type.Integer(),
  last_payment_date: Type.String(),
  last_payment_amount: Type.Integer(),
});

export const accountShape = Type.Object({
  id: Type.String({ format: 'uuid', examples: [exampleId] }),
  name: Type.String({ examples: ['Example Ltd'] }),
  email: Type.String({ examples: ['dns@example.com'] }),
  date_created: Type.String({ format: 'date-time', examples: [exampleDate] }),
});

const keyScope = Type.Enum(['admin', 'full', 'read']);

export const keyShape = Type.Object({
  id: Type.String({ format: 'uuid', examples: [exampleId] }),
  scope: keyScope,
  label: Type.String(),
  date_created: Type.String({ format: 'date-time', examples: [exampleDate] }),
});

const newKeyShape = Type.Object({
  id: Type.String({ format: 'uuid', examples: [exampleId] }),
  key: Type.String({ description: 'The key itself, shown this once' }),
  scope: keyScope,
  label: Type.String(),
  date_created: Type.String({ format: 'date-time', examples: [exampleDate] }),
});

export const errorShape = Type.Object({
  error: Type.String({ description: 'One sentence for a person' }),
  status: Type.Integer({ description: 'The HTTP status' }),
  code: Type.Optional(
    Type.Unsafe<keyof typeof errorStatuses>({
      enum: Object.keys(errorStatuses),
      description: 'Stable, for programs',
    }),
  ),
  field: Type.Optional(Type.String({ description: 'The request member at fault' })),
  index: Type.Optional(Type.Integer({ description: 'Position in a list that was sent' })),
});

export const recordReply = Type.Object({ record: recordShape });
export const recordPage = Type.Object({ records: Type.Array(recordShape), meta: metaShape });
export const domainReply = Type.Object({ domain: domainShape });
export const domainPage = Type.Object({ domains: Type.Array(domainShape), meta: metaShape });
export const soaReply = Type.Object({ dns_soa: soaShape });
export const dnssecReply = Type.Object({ dns_sec: Type.Array(Type.String()) });
export const propagationReply = Type.Object({ propagation: propagationShape });
export const ownAccountReply = Type.Object({ account: ownAccountShape });
export const accountPage = Type.Object({ accounts: Type.Array(accountShape), meta: metaShape });
export const newAccountReply = Type.Object({ account: accountShape, key: newKeyShape });
export const keyPage = Type.Object({ keys: Type.Array(keyShape), meta: metaShape });
export const newKeyReply = Type.Object({ key: newKeyShape });

/** What the interface shows, as clients read it. */
export type RecordJson = Readonly<Static<typeof recordShape>>;
export type DomainJson = Readonly<Static<typeof domainShape>>;
export type AccountJson = Readonly<Static<typeof accountShape>>;
export type KeyJson = Readonly<Static<typeof keyShape>>;
/** A key as its creation answers it: the only time the key itself is shown. */
export type NewKeyJson = Readonly<Static<typeof newKeyShape>>;
/** How far a serial has come among the nameservers. */
export type PropagationJson = Readonly<Static<typeof propagationShape>>;
export type KeyScope = KeyJson['scope'];
/** Every list carries it; `next` and `prev` are cursors, empty at the ends. */
export type MetaJson = Readonly<Static<typeof metaShape>>;
