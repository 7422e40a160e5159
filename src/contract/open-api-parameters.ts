// What the OpenAPI description says of an endpoint's parameters.
import { writesDomain, type Endpoint } from './endpoint.ts';
import { defaultPageSize, maxPageSize } from './page-query.ts';
import { maxSerial, maxWaitSeconds } from './propagation-query.ts';
import { zoneSerialHeader } from './zone-serial-header.ts';
import { IDEMPOTENCY_HOURS, MAX_NOTE_CHARACTERS } from '../model/write-limits.ts';

/** Those of its path, its query and its headers. */
export function describeParameters(endpoint: Endpoint): readonly object[] {
  const parameters: object[] = [];
  for (const [, name] of endpoint.path.matchAll(/\{(\w+)\}/g)) {
    const example = name === 'domain' ? 'example.com' : '0193489f-8a3b-7abc-8def-0123456789ab';
    parameters.push({ name, in: 'path', required: true, schema: { type: 'string' }, example });
  }
  if (endpoint.paged) parameters.push(...pageParameters);
  if (endpoint.filtered === 'records') parameters.push(...filterParameters);
  if (endpoint.filtered !== undefined) parameters.push(searchParameter);
  if (endpoint.atMoment) parameters.push(momentParameter);
  if (endpoint.waits) parameters.push(...propagationParameters);
  if (endpoint.tagged) parameters.push(headerParameters.ifNoneMatch);
  if (endpoint.method !== 'GET') parameters.push(dryRunParameter);
  if (endpoint.carries === 'zone') parameters.push(createParameter);
  if (writesDomain(endpoint)) {
    const { ifMatch, ifNoRevision, note } = headerParameters;
    parameters.push(ifMatch, ifNoRevision, note);
  }
  if (endpoint.method === 'POST') parameters.push(headerParameters.idempotencyKey);
  if (endpoint.namesAccount) parameters.push(accountParameter);
  return parameters;
}

const flag = { type: 'boolean', default: false };

const dryRunParameter = inQuery(
  'dry_run',
  'true: answers with what would be changed, and changes nothing',
  flag,
);

const createParameter = inQuery(
  'create',
  'true: a domain that is not there is created in the same step',
  flag,
);

const headerParameters = {
  ifNoneMatch: inHeader('If-None-Match', 'An ETag: 304 if it is still the same'),
  ifMatch: inHeader('If-Match', 'An ETag of the domain or what belongs to it: 412 if the domain was changed'),
  ifNoRevision: inHeader(
    'If-None-Match',
    'An ETag, or *: 412 if the domain has that revision, or is there at all',
  ),
  note: inHeader('X-Change-Note', 'Words for the history', {
    type: 'string',
    maxLength: MAX_NOTE_CHARACTERS,
  }),
  idempotencyKey: inHeader(
    'Idempotency-Key',
    `The same request with the same key is done once within ${IDEMPOTENCY_HOURS} hours, and answered alike`,
    { type: 'string', minLength: 1, maxLength: 255 },
  ),
};

const pageParameters = [
  inQuery('per_page', `Rows a page; out of range is clamped to 1…${maxPageSize}`, {
    type: 'integer',
    minimum: 1,
    maximum: maxPageSize,
    default: defaultPageSize,
  }),
  inQuery(
    'cursor',
    'meta.links.next or meta.links.prev of another page of the same list with the same filter',
  ),
];

const filterParameters = [
  inQuery('type', 'Only records of this type'),
  inQuery('name', 'Only records at this name; "" or "@" for the domain itself'),
  inQuery('data', 'Only records with this data, as it is shown'),
  inQuery('data_match', 'How data is compared', {
    enum: ['exact', 'prefix', 'contains'],
    default: 'exact',
  }),
];

const accountParameter = inQuery('account', 'The account’s id; the key’s own account if absent');

const searchParameter = inQuery(
  'search',
  'Only what holds this text, in upper or lower case, U-labels as A-labels too',
);

const momentParameter = inQuery('at', 'A serial that the domain had, or a time (RFC 3339)');

const propagationParameters = [
  inQuery('serial', `The serial to look for, as ${zoneSerialHeader} gave it; the domain’s own if absent`, {
    type: 'integer',
    minimum: 0,
    maximum: maxSerial,
  }),
  inQuery('wait', 'Seconds to wait at most until all live nameservers serve it', {
    type: 'integer',
    minimum: 0,
    maximum: maxWaitSeconds,
    default: 0,
  }),
];

function inQuery(name: string, description: string, schema: object = { type: 'string' }): object {
  return { name, in: 'query', description, schema };
}

function inHeader(name: string, description: string, schema: object = { type: 'string' }): object {
  return { name, in: 'header', description, schema };
}
