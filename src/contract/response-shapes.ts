// The shapes of answers, for the OpenAPI document and for typed clients. The `format-*` modules generate the texts; a test
// checks that both agree.
import { adjustmentCodes } from '../model/import-adjustments.ts';
import { Type, type Static } from './schema.ts';
import { errorStatuses } from './errors.ts';
import { accountShape } from './account-shape.ts';
import { invitationShape, newInvitationShape } from './member-shape.ts';
import { keyShape, newKeyShape } from './key-shape.ts';

const EXAMPLE_ID = '0193489f-8a3b-7abc-8def-0123456789ab';
const EXAMPLE_DATE = '2026-11-20T09:03:31+00:00';

const metaShape = metaOf('The exact number of rows in the whole list');

/** Pages of the trail end where they have looked at many entries. */
export const trailMetaShape = metaOf('The number of rows among the latest 10,000 entries');

function metaOf(total: string) {
  return Type.Object({
    total: Type.Integer({ description: total, examples: [1] }),
    links: Type.Object({
      next: Type.String({ description: 'Cursor of the next page; "" on the last page' }),
      prev: Type.String({ description: 'Cursor of the previous page; "" on the first page' }),
    }),
  });
}

const domainShape = Type.Object({
  domain: Type.String({ examples: ['example.com'] }),
  date_created: Type.String({ format: 'date-time', examples: [EXAMPLE_DATE] }),
  dns_sec: dnsSecShape(),
  withheld: Type.Optional(
    Type.Array(Type.Enum(['suspended', 'unverified']), {
      description: 'Why no nameserver serves it; absent: it is served',
    }),
  ),
});

const recordShape = Type.Object({
  id: Type.String({ format: 'uuid', examples: [EXAMPLE_ID] }),
  type: Type.String({ examples: ['A'] }),
  name: Type.String({ description: '"" is the domain itself', examples: ['www'] }),
  data: Type.String({ examples: ['192.0.2.1'] }),
  priority: Type.Integer({ examples: [-1] }),
  ttl: Type.Integer({ description: 'Seconds', examples: [300] }),
});

const nameserversShape = Type.Object({
  domain: Type.String({ examples: ['example.com'] }),
  changed: Type.Boolean(),
  before: Type.Array(Type.String(), {
    description: 'The host names of its NS records',
    examples: [['ns1.zonewright.invalid']],
  }),
  after: Type.Array(Type.String(), { examples: [['ns1.example.net']] }),
  nsprimary: Type.Union(
    [Type.Object({ before: Type.Union([Type.String(), Type.Null()]), after: Type.String() }), Type.Null()],
    { description: 'The primary nameserver of the SOA, if it changed' },
  ),
  code: Type.Union([Type.String(), Type.Null()], { description: 'The code of an error, if there is one' }),
  reason: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the domain was left as it is: a sentence for people',
  }),
});

const changesShape = Type.Object(
  {
    created: Type.Array(recordShape),
    updated: Type.Array(
      Type.Object({ before: recordShape, after: recordShape, strings: Type.Optional(stringsShape()) }),
    ),
    deleted: Type.Array(recordShape),
    unchanged: Type.Integer({
      description: 'The number of requested changes that had no effect',
      examples: [0],
    }),
    soa: Type.Optional(
      Type.Object(
        { before: soaSettingsShape(), after: soaSettingsShape() },
        { description: 'Present if SOA fields changed' },
      ),
    ),
    dns_sec: Type.Optional(
      Type.Object(
        { before: dnsSecShape(), after: dnsSecShape() },
        { description: 'Dry runs only: present if signing would be switched on or off' },
      ),
    ),
  },
  { description: 'The changes that were made, or would be made' },
);

function dnsSecShape() {
  return Type.Enum(['enabled', 'disabled'], { examples: ['disabled'] });
}

function stringsShape() {
  const members = {
    before: Type.String({ examples: ['"a" "b"'] }),
    after: Type.String({ examples: ['"ab"'] }),
  };
  return Type.Object(members, {
    description:
      'The character-strings of a TXT record in zone file format, if they change and its data is shown alike',
  });
}

function soaSettingsShape() {
  const textOrNull = Type.Union([Type.String(), Type.Null()], { description: 'null: the service’s default' });
  return Type.Object({ nsprimary: textOrNull, email: textOrNull });
}

const warningShape = Type.Object({
  code: Type.String({ description: 'Stable identifier for programs', examples: ['target_missing'] }),
  severity: Type.Enum(['error', 'warning', 'notice'], {
    description: 'error: something will not work; warning: most likely a mistake; notice: worth knowing',
  }),
  name: Type.String({ description: '"" is the domain itself', examples: ['www'] }),
  type: Type.Union([Type.String(), Type.Null()], { examples: ['CNAME'] }),
  record: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
    description: 'The id of the record; null if the warning is about the name',
    examples: [EXAMPLE_ID],
  }),
  message: Type.String({ description: 'A sentence for people' }),
});

const setAsideShape = Type.Object({
  line: Type.Integer({ examples: [12] }),
  reason: Type.String({ description: 'A sentence for people' }),
  record: Type.String({ description: 'The record in zone file format' }),
});

const adjustedShape = Type.Object({
  code: Type.Enum(adjustmentCodes),
  count: Type.Integer({ description: 'The number of records' }),
  message: Type.String({ description: 'A sentence for people' }),
  examples: Type.Array(
    Type.Object({
      line: Type.Optional(Type.Integer({ description: 'In a zone file, counted from 1' })),
      index: Type.Optional(Type.Integer({ description: 'Position in the list' })),
      record: Type.String({ description: 'In zone file format, or as it was sent in the list' }),
    }),
    { description: 'The first of them, at most five' },
  ),
});

const problemShape = Type.Object({
  list: Type.Optional(Type.Enum(['delete', 'update', 'create'])),
  index: Type.Optional(Type.Integer({ description: 'Position in the list', examples: [0] })),
  field: Type.Optional(Type.String({ description: 'The invalid member', examples: ['ttl'] })),
  line: Type.Optional(Type.Integer({ description: 'In a zone file, counted from 1' })),
  column: Type.Optional(Type.Integer({ description: 'In a zone file, counted from 1' })),
  code: Type.String(),
  message: Type.String({ description: 'A sentence for people' }),
});

const soaShape = Type.Object({
  nsprimary: Type.String({ examples: ['ns1.example.net'] }),
  email: Type.String({ examples: ['hostmaster@example.com'] }),
});

const nameserverShape = Type.Object({
  id: Type.String({
    description: 'Id of the nameserver process; it survives restarts',
    examples: [EXAMPLE_ID],
  }),
  name: Type.String({ examples: ['ns1'] }),
  serial: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The serial that it serves; null: none of the domain yet',
    examples: [1763650001],
  }),
  date_taken: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When it started to serve that serial; null: never, or too long ago',
    examples: [EXAMPLE_DATE],
  }),
  date_seen: Type.String({
    format: 'date-time',
    description: 'When it last reported',
    examples: [EXAMPLE_DATE],
  }),
  live: Type.Boolean({ description: 'It reported within the last 10 seconds' }),
  current: Type.Boolean({ description: 'It serves the requested serial or a later one' }),
});

const propagationShape = Type.Object({
  domain: Type.String({ examples: ['example.com'] }),
  serial: Type.Integer({
    description: 'The requested serial, or else the domain’s current serial',
    examples: [1763650001],
  }),
  current: Type.Boolean({ description: 'There is a live nameserver, and all live nameservers are current' }),
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

const limitShape = (description: string) =>
  Type.Object({ limit: Type.Integer(), use: Type.Integer() }, { description });

const limitsShape = Type.Object({
  domains: limitShape('Domains'),
  records: limitShape('Records in all domains'),
  records_per_domain: Type.Object(
    { limit: Type.Integer(), use: Type.Null() },
    { description: 'Records in one domain' },
  ),
  octets: limitShape('Octets of the records of all domains'),
  history_octets: limitShape('Octets of history and deleted domains; the oldest beyond the limit is removed'),
  outcome_octets: limitShape('Octets of outcomes that are kept for repeats with an Idempotency-Key'),
  trail_octets: limitShape('Octets of the trail; the oldest entries beyond the limit are removed'),
  keys: limitShape('API keys'),
  cost_per_minute: limitShape('Work for expensive requests; use is that of the process that answers'),
});

export const errorShape = Type.Object({
  error: Type.String({ description: 'A sentence for people' }),
  status: Type.Integer({ description: 'The HTTP status' }),
  code: Type.Optional(
    Type.Enum(Object.keys(errorStatuses) as (keyof typeof errorStatuses)[], {
      description: 'Stable identifier for programs',
    }),
  ),
  field: Type.Optional(Type.String({ description: 'The invalid member of the request' })),
  index: Type.Optional(Type.Integer({ description: 'Position in a list in the request' })),
  problems: Type.Optional(Type.Array(problemShape, { description: 'All problems of a batch or import' })),
  more: Type.Optional(Type.Integer({ description: 'The number of further problems' })),
});

export const recordReply = Type.Object({ record: recordShape });
export const recordPage = Type.Object({ records: Type.Array(recordShape), meta: metaShape });
export const domainReply = Type.Object({ domain: domainShape });
export const domainPage = Type.Object({ domains: Type.Array(domainShape), meta: metaShape });
export const changesReply = Type.Object({ changes: changesShape });
export const importReply = Type.Object({
  changes: changesShape,
  set_aside: Type.Array(setAsideShape),
  adjusted: Type.Array(adjustedShape),
  warnings: Type.Array(warningShape),
});
export const dryRunReply = Type.Object({
  dry_run: Type.True(),
  changes: changesShape,
  warnings: Type.Array(warningShape),
  set_aside: Type.Optional(Type.Array(setAsideShape)),
  adjusted: Type.Optional(Type.Array(adjustedShape)),
});
const keyedAccountPlan = Type.Object({ dry_run: Type.True(), account: accountShape, key: keyShape });
const openedAccountPlan = Type.Object({
  dry_run: Type.True(),
  account: accountShape,
  invitation: invitationShape,
});
export const accountPlanReply = Type.Union([keyedAccountPlan, openedAccountPlan]);
export const keyPlanReply = Type.Object({ dry_run: Type.True(), key: keyShape });
export const warningsReply = Type.Object({ warnings: Type.Array(warningShape) });
/** Text of the media type `JSON_LINES_TYPE`. */
export const recordLines = Type.String({ description: 'JSON, a record with its id a line, by owner' });
/** Text of the media type `ZONE_FILE_TYPE`. */
export const zoneFileReply = Type.String({ description: 'A zone file (RFC 1035 section 5)' });
const changeShape = Type.Object({
  serial: Type.Integer({
    description: 'The domain’s serial that includes the change',
    examples: [1763650001],
  }),
  date: Type.String({ format: 'date-time', examples: [EXAMPLE_DATE] }),
  key: Type.String({ format: 'uuid', description: 'The id of the API key', examples: [EXAMPLE_ID] }),
  address: Type.Union([Type.String(), Type.Null()], {
    description: 'The client’s address',
    examples: ['192.0.2.1'],
  }),
  note: Type.Union([Type.String(), Type.Null()], { description: 'The X-Change-Note of the request' }),
  action: Type.Enum([
    'create',
    'update',
    'delete',
    'domain_create',
    'domain_update',
    'domain_delete',
    'domain_restore',
    'domain_withhold',
    'domain_release',
  ]),
  old: Type.Union([recordShape, Type.Null()]),
  new: Type.Union([recordShape, Type.Null()]),
  soa: Type.Union([Type.Object({ before: soaSettingsShape(), after: soaSettingsShape() }), Type.Null()], {
    description: 'Present for domain_update',
  }),
  strings: Type.Optional(stringsShape()),
});

const deletedDomainShape = Type.Object({
  id: Type.String({
    description: 'Distinguishes it from other deleted domains of the same name',
    examples: ['17'],
  }),
  domain: domainShape.properties.domain,
  date_created: domainShape.properties.date_created,
  dns_sec: domainShape.properties.dns_sec,
  date_deleted: Type.String({ format: 'date-time', examples: [EXAMPLE_DATE] }),
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
export const nameserversPage = Type.Object({ domains: Type.Array(nameserversShape), meta: metaShape });
export const nameserversPlan = Type.Object({ dry_run: Type.True(), ...nameserversPage.properties });
export const soaReply = Type.Object({ dns_soa: soaShape });
export const dnssecReply = Type.Object({ dns_sec: Type.Array(Type.String()) });
export const propagationReply = Type.Object({ propagation: propagationShape });
export const ownAccountReply = Type.Object({ account: ownAccountShape });
export const limitsReply = Type.Object({ limits: limitsShape });
export const limitsPlanReply = Type.Object({ dry_run: Type.True(), limits: limitsShape });
export const accountPage = Type.Object({ accounts: Type.Array(accountShape), meta: metaShape });
const keyedAccount = Type.Object({ account: accountShape, key: newKeyShape });
const openedAccount = Type.Object({ account: accountShape, invitation: newInvitationShape });
export const newAccountReply = Type.Union([keyedAccount, openedAccount], {
  description: 'With the first key or, if the request names an owner, its invitation',
});
export const keyPage = Type.Object({ keys: Type.Array(keyShape), meta: metaShape });
export const newKeyReply = Type.Object({ key: newKeyShape });

/** The outcome of a replacement of nameservers for one domain. */
export type DomainNameserversJson = Readonly<Static<typeof nameserversShape>>;
export type NameserversPlanJson = Readonly<Static<typeof nameserversPlan>>;
export type RecordJson = Readonly<Static<typeof recordShape>>;
export type DomainJson = Readonly<Static<typeof domainShape>>;
/** The serials that the nameservers serve of a domain. */
export type PropagationJson = Readonly<Static<typeof propagationShape>>;
/** The changes that a batch, an import or a revert made. */
export type ChangesJson = Readonly<Static<typeof changesShape>>;
/** A likely mistake in a domain. */
export type WarningJson = Readonly<Static<typeof warningShape>>;
/** A record of a zone file that was skipped, and why. */
export type SetAsideJson = Readonly<Static<typeof setAsideShape>>;
/** Records that are stored otherwise than they were sent, without loss of data. */
export type AdjustedJson = Readonly<Static<typeof adjustedShape>>;
/** One problem of one part of a request. */
export type ProblemJson = Readonly<Static<typeof problemShape>>;
export type ImportJson = Readonly<Static<typeof importReply>>;
export type DryRunJson = Readonly<Static<typeof dryRunReply>>;
/** A new account with its first key. */
export type NewAccountJson = Readonly<Static<typeof keyedAccount>>;
/** A new account without a key, and the invitation of its first owner. */
export type OpenedAccountJson = Readonly<Static<typeof openedAccount>>;
/** The dry run of creating an account. The account and its key will have other ids. */
export type AccountPlanJson = Readonly<Static<typeof keyedAccountPlan>>;
export type OpenedAccountPlanJson = Readonly<Static<typeof openedAccountPlan>>;
/** The dry run of creating or revoking a key. */
export type KeyPlanJson = Readonly<Static<typeof keyPlanReply>>;
/** One entry of a domain's history. */
export type ChangeJson = Readonly<Static<typeof changeShape>>;
/** A domain that can be restored. */
export type DeletedDomainJson = Readonly<Static<typeof deletedDomainShape>>;
/** A record with its domain. */
export type FoundRecordJson = Readonly<Static<typeof foundRecordShape>>;
/** The SOA fields that the owner can set. */
export type SoaJson = Readonly<Static<typeof soaShape>>;
/** The limits of an account, each with its use. */
export type LimitsJson = Readonly<Static<typeof limitsShape>>;
/** The dry run of setting limits. */
export type LimitsPlanJson = Readonly<Static<typeof limitsPlanReply>>;
/** The account of the API key. */
export type OwnAccountJson = Readonly<Static<typeof ownAccountShape>>;
/** Part of every list; `next` and `prev` are cursors, empty at the ends. */
export type MetaJson = Readonly<Static<typeof metaShape>>;
