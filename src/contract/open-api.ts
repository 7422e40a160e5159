// The OpenAPI 3.1 description of the interface, generated from the tables that the server uses.
import { describeRoles } from '../model/role-rights.ts';
import { describeScopes } from '../model/scope-rights.ts';
import type { Schema } from './schema.ts';
import { isPersonal, writesDomain, type Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { errorStatuses, formatError, type ApiError } from './errors.ts';
import { describeParameters } from './open-api-parameters.ts';
import { dryRunReply, errorShape } from './response-shapes.ts';
import { ZONE_FILE_TYPE } from './zone-file-type.ts';
import { ZONE_WARNINGS_HEADER } from './warnings-header.ts';
import { HISTORY_START_HEADER, ZONE_SERIAL_HEADER } from './zone-serial-header.ts';

/** The prefix of all routes of the interface. */
export const INTERFACE_PATH = '/v2';

/** The path of the description; it needs no key. */
export const OPEN_API_PATH = `${INTERFACE_PATH}/openapi.json`;

/** The version of the interface and of the program: that of package.json, increased with every addition. */
export const INTERFACE_VERSION = '2.3.0';

let text: string | undefined;

/** Returns the document as JSON text. It is built on the first call and then kept. */
export function openApiText(): string {
  text ??= JSON.stringify(openApiDocument());
  return text;
}

/** Returns the document as a plain JSON value. */
export function openApiDocument(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Zonewright',
      version: INTERFACE_VERSION,
      summary: 'DNS hosting: domains and records',
      description:
        'Requests and responses are JSON. When a write is answered, the nameserver of the machine that answered already serves it; use propagation to check the other nameservers. Creating the same domain or record twice is safe.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.group))].map((name) => ({ name })),
    paths: describePaths(),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key, zw_…' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-zonewright',
          description:
            'The session of a user who has signed in; zonewright on the loopback interface without TLS',
        },
      },
      schemas: { Error: errorShape },
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, refusal]) => [`Error${status}`, describeRefusal(refusal)]),
      ),
      headers: {
        ...commonHeaders,
        ...retryHeader,
        ...serialHeader,
        ...warningsHeader,
        ...tagHeader,
        ...historyHeader,
      },
    },
  };
}

function describePaths(): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {});
    path[endpoint.method.toLowerCase()] = describeEndpoint(endpoint);
  }
  return paths;
}

function describeEndpoint(endpoint: Endpoint): object {
  const { body } = endpoint;
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    description: describeNeeds(endpoint),
    security: describeSecurity(endpoint),
    tags: [endpoint.group],
    parameters: describeParameters(endpoint),
    ...(body === undefined ? {} : { requestBody: describeBody(body.schema, endpoint) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(endpoint.answers).map(([status, shape]) => [
          status,
          describeAnswer(meaningOf(Number(status), endpoint), shape, endpoint),
        ]),
      ),
      ...describeConditions(endpoint),
      ...Object.fromEntries(refusalsOf(endpoint).map((status) => [status, refusalReference(status)])),
    },
  };
}

function describeSecurity({ needs }: Endpoint): readonly object[] {
  if (needs === 'anyone') return [];
  if (needs === 'user' || needs === 'operator') return [{ session: [] }];
  const needed = typeof needs === 'string' ? [needs] : needs;
  return [{ key: needed }, { session: needed }];
}

function describeNeeds(endpoint: Endpoint): string {
  const { needs } = endpoint;
  const fresh = endpoint.fresh ? ' A user must have proved within ten minutes who it is.' : '';
  if (needs === 'anyone') return 'Needs no key and no session.';
  if (needs === 'user') return `For users who have signed in.${fresh}`;
  if (needs === 'operator') return `For operators who have signed in.${fresh}`;
  const needed = typeof needs === 'string' ? [needs] : needs;
  const self = endpoint.orSelf ? ' Users may do it to themselves.' : '';
  const dryRun = writesDomain(endpoint) ? ' A dry run needs only zones:read.' : '';
  const roles = describeRoles(needed[0]);
  const having = roles === undefined ? '' : `, and users with the role ${roles}`;
  return `Needs the permission ${needed.join(' or ')}. API keys of scope ${describeScopes(needed[0])} have it${having}.${self}${dryRun}${fresh}`;
}

/** Describes a successful status. */
function meaningOf(status: number, { method, answers }: Endpoint): string {
  if (method === 'GET') return 'Found';
  if (status === 201) return 'Created';
  return 201 in answers ? 'It existed already; nothing was changed' : 'Done';
}

function describeBody(schema: Schema, { carries, bodyMayBeEmpty }: Endpoint): object {
  const zoneFile = { [ZONE_FILE_TYPE]: { schema: { type: 'string', description: 'A zone file' } } };
  const content = { 'application/json': { schema }, ...(carries === 'zone' ? zoneFile : {}) };
  return { required: bodyMayBeEmpty !== true, content };
}

function describeAnswer(description: string, schema: Schema | null, endpoint: Endpoint): object {
  const { tellsSerial, warns, tagged, tellsHistoryStart, contentType = 'application/json' } = endpoint;
  return {
    description,
    headers: {
      ...commonHeaderReferences,
      ...(tellsSerial ? referTo(serialHeader) : {}),
      ...(warns ? referTo(warningsHeader) : {}),
      ...(tagged ? referTo(tagHeader) : {}),
      ...(tellsHistoryStart ? referTo(historyHeader) : {}),
    },
    ...(schema === null ? {} : { content: { [contentType]: { schema } } }),
  };
}

/** Describes the answers to a dry run and to a GET with If-None-Match. */
function describeConditions(endpoint: Endpoint): Record<string, object> {
  if (endpoint.tagged) {
    const headers = { ...commonHeaderReferences, ...referTo(tagHeader) };
    return { 304: { description: 'Not modified: the client has the current version', headers } };
  }
  if (endpoint.method === 'GET' || isPersonal(endpoint)) return {};
  const { plan = dryRunReply } = endpoint;
  const own = endpoint.answers[200];
  const schema = own ? { anyOf: [own, plan] } : plan;
  const description = own ? `${meaningOf(200, endpoint)}, or a dry run` : 'A dry run';
  return { 200: describeAnswer(description, schema, endpoint) };
}

/** The meaning of each refusal's status, with an example. */
const refusals = {
  400: {
    meaning: 'Malformed input',
    example: {
      code: 'invalid_request',
      message: 'Record TTL is missing, and this service has no default TTL',
      field: 'ttl',
    },
  },
  403: {
    meaning: 'No valid API key, or a key whose scope does not allow the request',
    example: { code: 'forbidden', message: 'This API key may only read' },
  },
  404: {
    meaning: 'No such domain, record, account or key',
    example: {
      code: 'unknown_domain',
      message: 'Invalid domain: there is no domain "example.com" in this account',
    },
  },
  409: {
    meaning: 'Conflict with what exists',
    example: {
      code: 'record_conflict',
      message: 'No A record can exist at "www.example.com", which has a CNAME to "example.net"',
    },
  },
  412: {
    meaning: 'A precondition failed, because the domain has changed; nothing was done',
    example: {
      code: 'precondition_failed',
      message: 'Domain "example.com" has been changed: its revision is now "1f-691ed07a"',
    },
  },
  413: {
    meaning: 'The body is too large',
    example: { code: 'body_too_large', message: 'The request body is larger than 65536 bytes' },
  },
  429: {
    meaning: 'Rate limit exceeded; nothing was done',
    example: { code: 'rate_limited', message: 'Too many requests, try again in 1 second' },
  },
  500: {
    meaning: 'A bug in the service; nothing was changed',
    example: {
      code: 'internal_error',
      message: 'The service failed and nothing was changed (request Xb1-2f)',
    },
  },
  503: {
    meaning: 'The service is busy, starting or stopping; nothing was changed',
    example: { code: 'busy', message: 'The store is busy or unavailable and nothing was changed; try again' },
  },
} as const satisfies Record<number, { readonly meaning: string; readonly example: ApiError }>;

type RefusalStatus = keyof typeof refusals;

/** Lists the refusals that every route can return, and those of the route. */
function refusalsOf(endpoint: Endpoint): readonly RefusalStatus[] {
  const withBody = endpoint.body === undefined ? [] : ([413] as const);
  const conditional = writesDomain(endpoint) && !endpoint.writesMany ? ([412] as const) : [];
  const repeated = endpoint.method === 'POST' && !isPersonal(endpoint) ? ([409] as const) : [];
  const own = new Set<RefusalStatus>([...endpoint.refusals, ...repeated, ...conditional, ...withBody]);
  return [400, 403, ...own, 429, 500, 503];
}

function refusalReference(status: RefusalStatus): object {
  return { $ref: `#/components/responses/Error${status}` };
}

function describeRefusal(refusal: { readonly meaning: string; readonly example: ApiError }): object {
  const { meaning, example } = refusal;
  const isWorthRetrying = [429, 503].includes(errorStatuses[example.code]);
  return {
    description: meaning,
    headers: { ...commonHeaderReferences, ...(isWorthRetrying ? referTo(retryHeader) : {}) },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: JSON.parse(formatError(example)) as object,
      },
    },
  };
}

const commonHeaders = {
  'X-Request-Id': {
    description: 'Identifies the request in the log; taken from the request if it has a valid one',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The rate limit: q requests in w seconds (draft-ietf-httpapi-ratelimit-headers)',
    schema: { type: 'string' },
    example: '"default";q=100;w=1',
  },
  RateLimit: {
    description:
      'The state of the rate limit: r requests left, reset in t seconds (draft-ietf-httpapi-ratelimit-headers)',
    schema: { type: 'string' },
    example: '"default";r=99;t=1',
  },
};

const retryHeader = {
  'Retry-After': { description: 'Seconds to wait before retrying', schema: { type: 'integer' } },
};

const serialHeader = {
  [ZONE_SERIAL_HEADER]: {
    description: 'The domain’s serial; after a write, the serial that includes the write',
    schema: { type: 'integer' },
    example: 1763650001,
  },
};

const warningsHeader = {
  [ZONE_WARNINGS_HEADER]: {
    description:
      'Likely mistakes in what was written, with warnings=true also in the zone: a list of RFC 9651, about 2 KiB at most',
    schema: { type: 'string' },
    example: 'target_without_domain;severity=warning;name="";type=MX;message="The MX record names mail."',
  },
};

const historyHeader = {
  [HISTORY_START_HEADER]: {
    description: 'The serial of the oldest change that is kept: the history reaches back to it',
    schema: { type: 'integer' },
    example: 1763650001,
  },
};

const tagHeader = {
  ETag: {
    description: 'The domain’s revision, a strong tag for If-Match and If-None-Match',
    schema: { type: 'string' },
    example: '"1f-691ed07a"',
  },
};

const commonHeaderReferences = referTo(commonHeaders);

function referTo(headers: object): object {
  return Object.fromEntries(
    Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
