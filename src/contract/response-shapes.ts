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

const changesShape = Type.Object(
  {
    created: Type.Array(recordShape),
    updated: Type.Array(Type.Object({ before: recordShape, after: recordShape })),
    deleted: Type.Array(recordShape),
    unchanged: Type.Integer({ description: 'Of what was asked for, how much was so already', examples: [0] }),
    soa: Type.Optional(
      Type.Object(
        { before: soaSettingsShape(), after: soaSettingsShape() },
        { description: 'Where it changed' },
      ),
    ),
  },
  { description: 'What was changed, or would be' },
);

function soaSettingsShape() {
  const textOrNull = Type.Union([Type.String(), Type.Null()], { description: 'null: the service’s default' });
  return Type.Object({ nsprimary: textOrNull, email: textOrNull });
}

const warningShape = Type.Object({
  code: Type.String({ description: 'Stable, for programs', examples: ['target_missing'] }),
  severity: Type.Enum(['error', 'warning', 'notice'], {
    description: 'error: something will not work; warning: most likely a slip; notice: worth knowing',
  }),
  name: Type.String({ description: '"" is the domain itself', examples: ['www'] }),
  type: Type.Union([Type.String(), Type.Null()], { examples: ['CNAME'] }),
  record: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
    description: 'The id of the record at fault, where it is one',
    examples: [exampleId],
  }),
  message: Type.String({ description: 'One sentence for a person' }),
});

const setAsideShape = Type.Object({
  line: Type.Integer({ examples: [12] }),
  reason: Type.String({ description: 'One sentence for a person' }),
  record: Type.String({ description: 'As a master file has it' }),
});

const problemShape = Type.Object({
  list: Type.Optional(Type.Enum(['delete', 'update', 'create'])),
  index: Type.Optional(Type.Integer({ description: 'Position in the list', examples: [0] })),
  field: Type.Optional(Type.String({ description: 'The member at fault', examples: ['ttl'] })),
  line: Type.Optional(Type.Integer({ description: 'In a master file, from 1' })),
  column: Type.Optional(Type.Integer({ description: 'In a master file, from 1' })),
  code: Type.String(),
  message: Type.String({ description: 'One sentence for a person' }),
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
  key: Type.String({ description: 'The key itself; only this request shows it, and its repeats' }),
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
  problems: Type.Optional(
    Type.Array(problemShape, { description: 'Of a batch or a whole zone: all that is wrong with it' }),
  ),
  more: Type.Optional(Type.Integer({ description: 'How many problems there are besides those' })),
});

export const recordReply = Type.Object({ record: recordShape });
export const recordPage = Type.Object({ records: Type.Array(recordShape), meta: metaShape });
export const domainReply = Type.Object({ domain: domainShape });
export const domainPage = Type.Object({ domains: Type.Array(domainShape), meta: metaShape });
export const changesReply = Type.Object({ changes: changesShape });
export const importReply = Type.Object({
  changes: changesShape,
  set_aside: Type.Array(setAsideShape),
  warnings: Type.Array(warningShape),
});
export const dryRunReply = Type.Object({
  dry_run: Type.Literal(true),
  changes: changesShape,
  warnings: Type.Array(warningShape),
  set_aside: Type.Optional(Type.Array(setAsideShape)),
});
export const accountPlanReply = Type.Object({
  dry_run: Type.Literal(true),
  account: accountShape,
  key: keyShape,
});
export const keyPlanReply = Type.Object({ dry_run: Type.Literal(true), key: keyShape });
export const warningsReply = Type.Object({ warnings: Type.Array(warningShape) });
/** Text; of its media type the contract says more than a schema can. */
export const zoneFileReply = Type.String({ description: 'A master file (RFC 1035 section 5)' });
const changeShape = Type.Object({
  serial: Type.Integer({ description: 'The domain’s, with the change in it', examples: [1763650001] }),
  date: Type.String({ format: 'date-time', examples: [exampleDate] }),
  key: Type.String({ format: 'uuid', description: 'The id of the key', examples: [exampleId] }),
  address: Type.Union([Type.String(), Type.Null()], { description: 'The client’s', examples: ['192.0.2.1'] }),
  note: Type.Union([Type.String(), Type.Null()], { description: 'Its X-Change-Note' }),
  action: Type.Enum(['create', 'update', 'delete', 'domain_create', 'domain_update', 'domain_delete']),
  old: Type.Union([recordShape, Type.Null()]),
  new: Type.Union([recordShape, Type.Null()]),
  soa: Type.Union([Type.Object({ before: soaSettingsShape(), after: soaSettingsShape() }), Type.Null()], {
    description: 'Of a domain_update',
  }),
});

const deletedDomainShape = Type.Object({
  id: Type.String({ description: 'Tells it from others of its name', examples: ['17'] }),
  ...domainShape.properties,
  date_deleted: Type.String({ format: 'date-time', examples: [exampleDate] }),
});

const foundRecordShape = Type.Object({
  ...recordShape.properties,
  domain: Type.String({ examples: ['example.com'] }),
});

export const changePage = Type.Object({ changes: Type.Array(changeShape), meta: metaShape });
export const deletedDomainPage = Type.Object({
  deleted_domains: Type.Array(deletedDomainShape),
  meta: metaShape,
});
export const foundRecordPage = Type.Object({ records: Type.Array(foundRecordShape), meta: metaShape });
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
/** What a batch, a declared zone or a way back made of a domain's records. */
export type ChangesJson = Readonly<Static<typeof changesShape>>;
/** Something that is most likely not meant. */
export type WarningJson = Readonly<Static<typeof warningShape>>;
/** What of a master file was not taken over, and why. */
export type SetAsideJson = Readonly<Static<typeof setAsideShape>>;
/** One thing that is wrong with one part of a request. */
export type ProblemJson = Readonly<Static<typeof problemShape>>;
export type ImportJson = Readonly<Static<typeof importReply>>;
export type DryRunJson = Readonly<Static<typeof dryRunReply>>;
/** A new account with its first key. */
export type NewAccountJson = Readonly<Static<typeof newAccountReply>>;
/** What a dry run of opening an account says: the ids are not those that the account and its key will have. */
export type AccountPlanJson = Readonly<Static<typeof accountPlanReply>>;
/** What a dry run says of a key that would be made or revoked. */
export type KeyPlanJson = Readonly<Static<typeof keyPlanReply>>;
/** One entry of a domain's history. */
export type ChangeJson = Readonly<Static<typeof changeShape>>;
/** A domain that can be restored. */
export type DeletedDomainJson = Readonly<Static<typeof deletedDomainShape>>;
/** A record of any of the account's domains. */
export type FoundRecordJson = Readonly<Static<typeof foundRecordShape>>;
/** The SOA fields that are the owner's. */
export type SoaJson = Readonly<Static<typeof soaShape>>;
/** The key's own account. */
export type OwnAccountJson = Readonly<Static<typeof ownAccountShape>>;
/** Every list carries it; `next` and `prev` are cursors, empty at the ends. */
export type MetaJson = Readonly<Static<typeof metaShape>>;
