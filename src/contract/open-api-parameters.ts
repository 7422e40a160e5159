// The parameters of an endpoint in the OpenAPI document.
import { isPersonal, writesDomain, type Endpoint } from './endpoint.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './page-query.ts';
import { MAX_SERIAL, MAX_WAIT_SECONDS } from './propagation-query.ts';
import { ZONE_WARNINGS_HEADER } from './warnings-header.ts';
import { ZONE_SERIAL_HEADER } from './zone-serial-header.ts';
import { IDEMPOTENCY_HOURS } from '../model/write-limits.ts';
import { MAX_NOTE_CHARACTERS } from './note-limit.ts';

/** Describes the parameters in path, query and headers. */
export function describeParameters(endpoint: Endpoint): readonly object[] {
  const parameters = describePath(endpoint);
  if (endpoint.paged) parameters.push(...pageParameters);
  if (endpoint.filtered === 'records') parameters.push(...filterParameters);
  if (endpoint.filtered === 'trail') parameters.push(...trailParameters);
  else if (endpoint.filtered === 'changes') parameters.push(...changeParameters);
  else if (endpoint.filtered !== undefined) parameters.push(searchParameter);
  if (endpoint.atMoment) parameters.push(momentParameter);
  if (endpoint.showsSigning) parameters.push(signingParameter);
  if (endpoint.waits) parameters.push(...propagationParameters);
  if (endpoint.asksQuestion) parameters.push(...questionParameters);
  if (endpoint.refreshes) parameters.push(refreshParameter);
  if (endpoint.tagged) parameters.push(headerParameters.ifNoneMatch);
  if (endpoint.method !== 'GET' && !isPersonal(endpoint)) parameters.push(...describeWrite(endpoint));
  if (!isPersonal(endpoint)) parameters.push(headerParameters.account);
  if (endpoint.namesAccount) parameters.push(accountParameter);
  if (endpoint.confirms === 'name') parameters.push(nameParameter);
  return parameters;
}

function describePath({ path }: Endpoint): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const example = name === 'domain' ? 'example.com' : '0193489f-8a3b-7abc-8def-0123456789ab';
    return { name, in: 'path', required: true, schema: { type: 'string' }, example };
  });
}

function describeWrite(endpoint: Endpoint): readonly object[] {
  const parameters: object[] = [dryRunParameter];
  if (endpoint.warns) parameters.push(warningsParameter);
  if (endpoint.forces) parameters.push(forceParameter);
  if (endpoint.carries === 'zone') parameters.push(createParameter);
  if (endpoint.takesPresigned) parameters.push(presignedParameter);
  if (writesDomain(endpoint)) {
    const { ifMatch, ifNoRevision, note } = headerParameters;
    if (!endpoint.writesMany) parameters.push(ifMatch, ifNoRevision);
    parameters.push(note);
  }
  if (endpoint.method === 'POST') parameters.push(headerParameters.idempotencyKey);
  return parameters;
}

const flag = { type: 'boolean', default: false };

const dryRunParameter = inQuery(
  'dry_run',
  'true: changes nothing, and answers with the changes that the request would make',
  flag,
);

const warningsParameter = inQuery(
  'warnings',
  `true: the header ${ZONE_WARNINGS_HEADER} says what a check would say about the change`,
  flag,
);

const createParameter = inQuery(
  'create',
  'true: creates the domain in the same step if it does not exist',
  flag,
);

const presignedParameter = inQuery(
  'presigned',
  'true: another signer has signed the zone file, which is verified and then served as it is',
  flag,
);

const forceParameter = inQuery(
  'force',
  'true: ends signing at once, also during a withdrawal, although resolvers reject unsigned answers while the parent zone has a DS record',
  flag,
);

const headerParameters = {
  account: inHeader(
    'Zonewright-Account',
    'The account in which a user of several accounts acts; keys need none',
  ),
  ifNoneMatch: inHeader('If-None-Match', 'ETags: 304 if the current ETag is one of them'),
  ifMatch: inHeader(
    'If-Match',
    'ETags of the domain or of anything that belongs to it: 412 if the domain has changed since',
  ),
  ifNoRevision: inHeader(
    'If-None-Match',
    'ETags: 412 if the domain is in one of these revisions; *: 412 if the domain exists',
  ),
  note: inHeader('X-Change-Note', 'A note that is stored in the history with every change of the request', {
    type: 'string',
    maxLength: MAX_NOTE_CHARACTERS,
  }),
  idempotencyKey: inHeader(
    'Idempotency-Key',
    `Makes a retry safe: within ${IDEMPOTENCY_HOURS} hours, a repeat of the request with the same value does nothing and gets the first answer`,
    { type: 'string', minLength: 1, maxLength: 255 },
  ),
};

const pageParameters = [
  inQuery('per_page', `Rows per page; values out of range are clamped to 1…${MAX_PAGE_SIZE}`, {
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
  }),
  inQuery('cursor', 'meta.links.next or meta.links.prev of a page of the same list with the same filter'),
];

const filterParameters = [
  inQuery('type', 'Only records of this type, e.g. A'),
  inQuery('name', 'Only records with this name; "" or "@" for the domain itself'),
  inQuery('data', 'Only records with this data, compared with the data as shown'),
  inQuery('data_match', 'How `data` is compared', {
    enum: ['exact', 'prefix', 'contains'],
    default: 'exact',
  }),
];

const nameParameter = {
  ...inQuery('name', 'The name of the account, which confirms that it is to be deleted'),
  required: true,
};

const accountParameter = inQuery('account', 'Id of an account; if absent, the account of the API key');

const changeParameters = [
  inQuery('actor', 'Only what this key or user changed: its id'),
  inQuery('from', 'Only changes from this time on (RFC 3339)'),
  inQuery('to', 'Only changes before this time (RFC 3339)'),
];

const trailParameters = [
  inQuery('account', 'Id of another account, or all: for operators and administrators'),
  inQuery('action', 'Only this action, or all actions of an object: key.create, or key. with its dot'),
  inQuery('actor', 'Only what this key or user did: its id'),
  inQuery('object', 'Only what happened to this: an id, or the name of a domain'),
  inQuery('address', 'Only what came from this network address'),
  inQuery('from', 'Only entries from this time on (RFC 3339)'),
  inQuery('to', 'Only entries before this time (RFC 3339)'),
];

const searchParameter = inQuery(
  'search',
  'Only rows that contain this text, ignoring case; U-labels and A-labels match each other',
);

const momentParameter = inQuery('at', 'An earlier serial of the domain, or a time (RFC 3339)');

const signingParameter = inQuery(
  'dnssec',
  'true: the zone as it is served, with keys, signatures and proofs; 409 if the domain is not signed',
  flag,
);

const questionParameters = [
  inQuery('name', 'The name that is asked for, relative to the domain; by default the domain itself'),
  inQuery('type', 'The type that is asked for, e.g. A or TYPE65280', { type: 'string', default: 'A' }),
  inQuery('resolver', 'The IP address of a resolver that is asked as well'),
];

const refreshParameter = inQuery(
  'refresh',
  'true: looks again, unless the last look was made seconds ago',
  flag,
);

const propagationParameters = [
  inQuery(
    'serial',
    `The serial to look for, e.g. from the header ${ZONE_SERIAL_HEADER}; if absent, the domain’s current serial`,
    {
      type: 'integer',
      minimum: 0,
      maximum: MAX_SERIAL,
    },
  ),
  inQuery('wait', 'Maximum time in seconds to wait until all live nameservers serve the serial', {
    type: 'integer',
    minimum: 0,
    maximum: MAX_WAIT_SECONDS,
    default: 0,
  }),
];

function inQuery(name: string, description: string, schema: object = { type: 'string' }): object {
  return { name, in: 'query', description, schema };
}

function inHeader(name: string, description: string, schema: object = { type: 'string' }): object {
  return { name, in: 'header', description, schema };
}
