// Every route of the interface, in one table: the server binds its handlers to it, 405 and its Allow header, the
// OpenAPI document and typed clients come of it.
import type { TSchema } from 'typebox';
import type { KeyScope } from '../model/account.ts';
import type { BodyShape } from './body-shape.ts';
import * as bodies from './request-bodies.ts';
import * as shapes from './response-shapes.ts';
import { zoneFileType } from './zone-file-type.ts';

export interface Endpoint {
  /** Stable name of the operation. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{domain}` and `{id}` as parameters. */
  readonly path: string;
  readonly group: 'Domains' | 'Records' | 'Whole domains' | 'History' | 'Account' | 'Accounts and keys';
  readonly summary: string;
  readonly body?: Pick<BodyShape<unknown>, 'schema'>;
  /** An empty body is the same as `{}`. */
  readonly bodyMayBeEmpty?: true;
  /** Statuses of success with what they answer; null: no body. */
  readonly answers: Readonly<Partial<Record<200 | 201 | 204, TSchema | null>>>;
  /** What a dry run answers, where it is not a difference in a domain. */
  readonly plan?: TSchema;
  /** Statuses of refusal that are this route's own, besides those that any route may give. */
  readonly refusals: readonly (404 | 409)[];
  /** `cursor` and `per_page` are understood. */
  readonly paged?: true;
  /** `search` narrows the list; for `records` also type, name and data. */
  readonly filtered?: 'search' | 'records';
  /** `at` asks for an earlier moment. */
  readonly atMoment?: true;
  /** `account` in the query names another account. */
  readonly namesAccount?: true;
  /** `serial` and `wait` are understood. */
  readonly waits?: true;
  /** What a body that may be larger than others holds. `zone`: a master file, too. */
  readonly carries?: 'batch' | 'zone';
  /** Of a success that is not JSON. */
  readonly contentType?: string;
  /** Success carries an entity tag, and If-None-Match is understood. */
  readonly tagged?: true;
  /** Success carries the domain's serial, in `zoneSerialHeader`. */
  readonly tellsSerial?: true;
}

const domains = '/v2/domains';
const domain = '/v2/domains/{domain}';
const records = '/v2/domains/{domain}/records';
const record = '/v2/domains/{domain}/records/{id}';
const zoneFile = '/v2/domains/{domain}/zonefile';

export const endpoints = [
  {
    id: 'listDomains',
    method: 'GET',
    path: domains,
    group: 'Domains',
    summary: 'List the account’s domains by name',
    answers: { 200: shapes.domainPage },
    refusals: [],
    paged: true,
    filtered: 'search',
  },
  {
    id: 'createDomain',
    method: 'POST',
    path: domains,
    group: 'Domains',
    summary: 'Create a domain; 200 if the account already has it',
    body: bodies.createDomainBody,
    answers: { 201: shapes.domainReply, 200: shapes.domainReply },
    refusals: [409],
    tellsSerial: true,
  },
  {
    id: 'getDomain',
    method: 'GET',
    path: domain,
    group: 'Domains',
    summary: 'Show a domain',
    answers: { 200: shapes.domainReply },
    refusals: [404],
    tagged: true,
    tellsSerial: true,
  },
  {
    id: 'updateDomain',
    method: 'PUT',
    path: domain,
    group: 'Domains',
    summary: 'Set a domain’s DNSSEC state',
    body: bodies.updateDomainBody,
    answers: { 204: null },
    refusals: [404],
    tellsSerial: true,
  },
  {
    id: 'patchDomain',
    method: 'PATCH',
    path: domain,
    group: 'Domains',
    summary: 'Set a domain’s DNSSEC state',
    body: bodies.updateDomainBody,
    answers: { 204: null },
    refusals: [404],
    tellsSerial: true,
  },
  {
    id: 'deleteDomain',
    method: 'DELETE',
    path: domain,
    group: 'Domains',
    summary: 'Delete a domain with all its records',
    answers: { 204: null },
    refusals: [404],
  },
  {
    id: 'getSoa',
    method: 'GET',
    path: `${domain}/soa`,
    group: 'Domains',
    summary: 'Show the SOA fields that are the owner’s',
    answers: { 200: shapes.soaReply },
    refusals: [404],
    tagged: true,
    tellsSerial: true,
  },
  {
    id: 'updateSoa',
    method: 'PATCH',
    path: `${domain}/soa`,
    group: 'Domains',
    summary: 'Set the SOA fields that are the owner’s',
    body: bodies.updateSoaBody,
    answers: { 204: null },
    refusals: [404],
    tellsSerial: true,
  },
  {
    id: 'listDnssec',
    method: 'GET',
    path: `${domain}/dnssec`,
    group: 'Domains',
    summary: 'List DNSKEY and DS records; none while DNSSEC is disabled',
    answers: { 200: shapes.dnssecReply },
    refusals: [404],
  },
  {
    id: 'getPropagation',
    method: 'GET',
    path: `${domain}/propagation`,
    group: 'Domains',
    summary: 'Show which serial each nameserver serves, or wait until all serve it',
    answers: { 200: shapes.propagationReply },
    refusals: [404],
    waits: true,
  },
  {
    id: 'listRecords',
    method: 'GET',
    path: records,
    group: 'Records',
    summary: 'List a domain’s records in creation order',
    answers: { 200: shapes.recordPage },
    refusals: [404],
    paged: true,
    filtered: 'records',
    tagged: true,
  },
  {
    id: 'searchRecords',
    method: 'GET',
    path: '/v2/records',
    group: 'Records',
    summary: 'Find records in all of the account’s domains',
    answers: { 200: shapes.foundRecordPage },
    refusals: [],
    paged: true,
    filtered: 'records',
  },
  {
    id: 'createRecord',
    method: 'POST',
    path: records,
    group: 'Records',
    summary: 'Create a record; 200 if the very same one is there already',
    body: bodies.createRecordBody,
    answers: { 201: shapes.recordReply, 200: shapes.recordReply },
    refusals: [404, 409],
    tellsSerial: true,
  },
  {
    id: 'getRecord',
    method: 'GET',
    path: record,
    group: 'Records',
    summary: 'Show a record',
    answers: { 200: shapes.recordReply },
    refusals: [404],
    tagged: true,
  },
  {
    id: 'updateRecord',
    method: 'PATCH',
    path: record,
    group: 'Records',
    summary: 'Change a record',
    body: bodies.updateRecordBody,
    answers: { 204: null },
    refusals: [404, 409],
    tellsSerial: true,
  },
  {
    id: 'deleteRecord',
    method: 'DELETE',
    path: record,
    group: 'Records',
    summary: 'Delete a record',
    answers: { 204: null },
    refusals: [404],
    tellsSerial: true,
  },
  {
    id: 'exportZone',
    method: 'GET',
    path: zoneFile,
    group: 'Whole domains',
    summary: 'Show a domain as a master file, which imported again changes nothing',
    answers: { 200: shapes.zoneFileReply },
    contentType: zoneFileType,
    atMoment: true,
    refusals: [404, 409],
    tagged: true,
    tellsSerial: true,
  },
  {
    id: 'replaceZone',
    method: 'PUT',
    path: zoneFile,
    group: 'Whole domains',
    summary: 'Make a domain hold what is sent, a master file or records, and nothing else',
    body: bodies.zoneBody,
    carries: 'zone',
    answers: { 200: shapes.importReply },
    refusals: [404, 409],
    tellsSerial: true,
  },
  {
    id: 'mergeZone',
    method: 'POST',
    path: zoneFile,
    group: 'Whole domains',
    summary: 'Add what is sent, a master file or records, to a domain',
    body: bodies.zoneBody,
    carries: 'zone',
    answers: { 200: shapes.importReply },
    refusals: [404, 409],
    tellsSerial: true,
  },
  {
    id: 'changeRecords',
    method: 'POST',
    path: `${domain}/batch`,
    group: 'Whole domains',
    summary: 'Delete, change and create many records, all or none, at one moment in DNS',
    body: bodies.batchBody,
    carries: 'batch',
    answers: { 200: shapes.changesReply },
    refusals: [404, 409],
    tellsSerial: true,
  },
  {
    id: 'checkDomain',
    method: 'GET',
    path: `${domain}/check`,
    group: 'Whole domains',
    summary: 'List what is most likely not meant in a domain',
    answers: { 200: shapes.warningsReply },
    refusals: [404],
    tagged: true,
    tellsSerial: true,
  },
  {
    id: 'listChanges',
    method: 'GET',
    path: `${domain}/changes`,
    group: 'History',
    summary: 'List what was changed in a domain, newest first',
    answers: { 200: shapes.changePage },
    refusals: [404],
    paged: true,
    tagged: true,
  },
  {
    id: 'revertRecords',
    method: 'POST',
    path: `${domain}/revert`,
    group: 'History',
    summary: 'Make a domain’s records what they were at an earlier serial',
    body: bodies.revertBody,
    answers: { 200: shapes.changesReply },
    refusals: [404, 409],
    tellsSerial: true,
  },
  {
    id: 'listDeletedDomains',
    method: 'GET',
    path: '/v2/deleted_domains',
    group: 'History',
    summary: 'List the domains that can be restored, the one created last first',
    answers: { 200: shapes.deletedDomainPage },
    refusals: [],
    paged: true,
  },
  {
    id: 'restoreDomain',
    method: 'POST',
    path: `${domain}/restore`,
    group: 'History',
    summary: 'Restore a deleted domain with everything it had',
    body: bodies.restoreBody,
    bodyMayBeEmpty: true,
    answers: { 200: shapes.domainReply },
    refusals: [404, 409],
    tellsSerial: true,
  },
  {
    id: 'getAccount',
    method: 'GET',
    path: '/v2/account',
    group: 'Account',
    summary: 'Show the key’s own account',
    answers: { 200: shapes.ownAccountReply },
    refusals: [],
  },
  {
    id: 'listAccounts',
    method: 'GET',
    path: '/v2/accounts',
    group: 'Accounts and keys',
    summary: 'List all accounts (admin keys)',
    answers: { 200: shapes.accountPage },
    refusals: [],
    paged: true,
  },
  {
    id: 'createAccount',
    method: 'POST',
    path: '/v2/accounts',
    group: 'Accounts and keys',
    summary: 'Open an account and its first key (admin keys)',
    body: bodies.createAccountBody,
    answers: { 201: shapes.newAccountReply },
    plan: shapes.accountPlanReply,
    refusals: [],
  },
  {
    id: 'listKeys',
    method: 'GET',
    path: '/v2/keys',
    group: 'Accounts and keys',
    summary: 'List an account’s keys, never their text (admin keys)',
    answers: { 200: shapes.keyPage },
    refusals: [404],
    paged: true,
    namesAccount: true,
  },
  {
    id: 'createKey',
    method: 'POST',
    path: '/v2/keys',
    group: 'Accounts and keys',
    summary: 'Create a key (admin keys)',
    body: bodies.createKeyBody,
    answers: { 201: shapes.newKeyReply },
    plan: shapes.keyPlanReply,
    refusals: [404],
  },
  {
    id: 'revokeKey',
    method: 'DELETE',
    path: '/v2/keys/{id}',
    group: 'Accounts and keys',
    summary: 'Revoke a key (admin keys)',
    answers: { 204: null },
    plan: shapes.keyPlanReply,
    refusals: [404],
  },
] as const satisfies readonly Endpoint[];

/** The least scope of a key that may use it. */
export function scopeOf({ method, group }: Pick<Endpoint, 'method' | 'group'>): KeyScope {
  if (group === 'Accounts and keys') return 'admin';
  return method === 'GET' ? 'read' : 'full';
}

export type EndpointId = (typeof endpoints)[number]['id'];
