// The OpenAPI 3.1 description of the interface, put together from the same tables that the server runs on.
import type { TSchema } from 'typebox';
import { writesDomain, type Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { errorStatuses, formatError, type ApiError } from './errors.ts';
import { describeParameters } from './open-api-parameters.ts';
import { dryRunReply, errorShape } from './response-shapes.ts';
import { zoneFileType } from './zone-file-type.ts';
import { zoneSerialHeader } from './zone-serial-header.ts';

/** Where all of the interface lies. */
export const interfacePath = '/v2';

/** Where the description is served; needs no key. */
export const openApiPath = `${interfacePath}/openapi.json`;

/** Of the interface, not of the program: rises when something is added to it. */
const interfaceVersion = '2.3.0';

/** A plain JSON value. */
export function openApiDocument(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Zonewright',
      version: interfaceVersion,
      summary: 'DNS hosting: domains and records',
      description:
        'JSON in and out. A write that is answered is already served by the nameserver of the machine that answered; propagation tells of the others. Creating is safe to repeat.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.group))].map((name) => ({ name })),
    paths: describePaths(),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key, zw_…' },
      },
      schemas: { Error: errorShape },
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, refusal]) => [`Error${status}`, describeRefusal(refusal)]),
      ),
      headers: { ...commonHeaders, ...retryHeader, ...serialHeader, ...tagHeader },
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
    description: `Needs an API key of scope ${scopesFor[endpoint.scope]}.`,
    security: [{ key: [endpoint.scope] }],
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

/** The scopes that may use an endpoint, as its description names them. */
const scopesFor = { read: 'read, full or admin', full: 'full or admin', admin: 'admin' };

/** What a status of success says about the resource. */
function meaningOf(status: number, { method, answers }: Endpoint): string {
  if (method === 'GET') return 'Found';
  if (status === 201) return 'Created';
  return 201 in answers ? 'It was there already, and nothing was changed' : 'Done';
}

function describeBody(schema: TSchema, { carries, bodyMayBeEmpty }: Endpoint): object {
  const masterFile = { [zoneFileType]: { schema: { type: 'string', description: 'A master file' } } };
  const content = { 'application/json': { schema }, ...(carries === 'zone' ? masterFile : {}) };
  return { required: bodyMayBeEmpty !== true, content };
}

function describeAnswer(description: string, schema: TSchema | null, endpoint: Endpoint): object {
  const { tellsSerial, tagged, contentType = 'application/json' } = endpoint;
  return {
    description,
    headers: {
      ...commonHeaderReferences,
      ...(tellsSerial ? referTo(serialHeader) : {}),
      ...(tagged ? referTo(tagHeader) : {}),
    },
    ...(schema === null ? {} : { content: { [contentType]: { schema } } }),
  };
}

/** Answers that come of what every write, and every tagged resource, understands. */
function describeConditions(endpoint: Endpoint): Record<string, object> {
  if (endpoint.tagged) {
    const headers = { ...commonHeaderReferences, ...referTo(tagHeader) };
    return { 304: { description: 'As the client has it already', headers } };
  }
  if (endpoint.method === 'GET') return {};
  const { plan = dryRunReply } = endpoint;
  const own = endpoint.answers[200];
  const schema = own ? { anyOf: [own, plan] } : plan;
  const description = own ? `${meaningOf(200, endpoint)}, or a dry run` : 'A dry run';
  return { 200: describeAnswer(description, schema, endpoint) };
}

/** What each status of refusal means, with an example. */
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
    meaning: 'No valid API key, or one whose scope does not allow this',
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
      message: 'No A record can stand at "www.example.com", where a CNAME to "example.net" stands',
    },
  },
  412: {
    meaning: 'The domain was changed meanwhile; nothing was done',
    example: {
      code: 'precondition_failed',
      message: 'Domain "example.com" has been changed meanwhile: its revision is "1f-691ed07a"',
    },
  },
  413: {
    meaning: 'The body is too large',
    example: { code: 'body_too_large', message: 'The request body is larger than 65536 bytes' },
  },
  429: {
    meaning: 'Rate limit reached; nothing was done',
    example: { code: 'rate_limited', message: 'Too many requests, try again in 1 second' },
  },
  500: {
    meaning: 'A bug of the service; nothing was changed',
    example: {
      code: 'internal_error',
      message: 'The service failed and nothing was changed, request Xb1-2f',
    },
  },
  503: {
    meaning: 'The service is busy, starting or stopping; nothing was changed',
    example: { code: 'busy', message: 'The store is busy or away, nothing was changed, try again' },
  },
} as const satisfies Record<number, { readonly meaning: string; readonly example: ApiError }>;

type RefusalStatus = keyof typeof refusals;

/** Any request may be malformed, lack its key or come too often; the rest is the route's own. */
function refusalsOf(endpoint: Endpoint): readonly RefusalStatus[] {
  const withBody = endpoint.body === undefined ? [] : ([413] as const);
  const conditional = writesDomain(endpoint) ? ([412] as const) : [];
  const repeated = endpoint.method === 'POST' ? ([409] as const) : [];
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
    description: 'Names this request in the log; a well-formed one of the client is kept',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'draft-ietf-httpapi-ratelimit-headers',
    schema: { type: 'string' },
    example: '"default";q=100;w=1',
  },
  RateLimit: {
    description: 'draft-ietf-httpapi-ratelimit-headers',
    schema: { type: 'string' },
    example: '"default";r=99;t=1',
  },
};

const retryHeader = {
  'Retry-After': { description: 'Seconds until it is worth trying again', schema: { type: 'integer' } },
};

const serialHeader = {
  [zoneSerialHeader]: {
    description: 'The domain’s serial, with the write in it where this was one',
    schema: { type: 'integer' },
    example: 1763650001,
  },
};

const tagHeader = {
  ETag: {
    description: 'The domain’s revision, strong; for If-Match and If-None-Match',
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
