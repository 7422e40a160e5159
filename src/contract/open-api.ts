// The OpenAPI 3.1 description of the interface, put together from the same tables that the server runs on.
import type { TSchema } from 'typebox';
import { endpoints, type Endpoint } from './endpoints.ts';
import { formatError, type ApiError } from './errors.ts';
import { defaultPageSize, maxPageSize } from './page-query.ts';
import { errorShape } from './response-shapes.ts';

/** Where the description is served; needs no key. */
export const openApiPath = '/v2/openapi.json';

/** Of the interface, not of the program: rises when something is added to it. */
const interfaceVersion = '2.0.0';

/** A plain JSON value. */
export function openApiDocument(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Zonewright',
      version: interfaceVersion,
      summary: 'DNS hosting: domains and records',
      description:
        'JSON in and out. A write that is answered is already served by the nameserver. Creating is safe to repeat.',
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
        Object.entries(refusalExamples).map(([status, example]) => [
          `Error${status}`,
          describeRefusal(example),
        ]),
      ),
      headers: commonHeaders,
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
    tags: [endpoint.group],
    parameters: describeParameters(endpoint),
    ...(body === undefined ? {} : { requestBody: describeBody(body.schema) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(endpoint.answers).map(([status, shape]) => [
          status,
          describeAnswer(endpoint.summary, shape),
        ]),
      ),
      ...Object.fromEntries(refusalsOf(endpoint).map((status) => [status, refusalReference(status)])),
    },
  };
}

function describeBody(schema: TSchema): object {
  return { required: true, content: { 'application/json': { schema } } };
}

function describeAnswer(description: string, schema: TSchema | null): object {
  return {
    description,
    headers: commonHeaderReferences,
    ...(schema === null ? {} : { content: { 'application/json': { schema } } }),
  };
}

function describeParameters(endpoint: Endpoint): readonly object[] {
  const parameters: object[] = [];
  for (const [, name] of endpoint.path.matchAll(/\{(\w+)\}/g)) {
    const example = name === 'domain' ? 'example.com' : '0193489f-8a3b-7abc-8def-0123456789ab';
    parameters.push({ name, in: 'path', required: true, schema: { type: 'string' }, example });
  }
  if (endpoint.paged) parameters.push(...pageParameters);
  if (endpoint.namesAccount) {
    const description = 'The account’s id; the key’s own account if absent';
    parameters.push({ name: 'account', in: 'query', description, schema: { type: 'string' } });
  }
  return parameters;
}

const pageParameters = [
  {
    name: 'per_page',
    in: 'query',
    description: `Rows a page; out of range is clamped to 1…${maxPageSize}`,
    schema: { type: 'integer', minimum: 1, maximum: maxPageSize, default: defaultPageSize },
  },
  {
    name: 'cursor',
    in: 'query',
    description: 'meta.links.next or meta.links.prev of another page',
    schema: { type: 'string' },
  },
];

/** What each status says, by an example. Those without a route of their own can come from any. */
const refusalExamples = {
  400: { code: 'invalid_request', message: 'ttl is required', field: 'ttl' },
  403: { code: 'invalid_key', message: 'A valid API key is required' },
  404: { code: 'unknown_domain', message: 'Invalid domain "example.com"' },
  409: { code: 'record_conflict', message: 'www has a CNAME record, which stands alone' },
  413: { code: 'body_too_large', message: 'The request body is larger than 65536 bytes' },
  429: { code: 'rate_limited', message: 'Too many requests, try again in 1 second' },
  500: { code: 'internal_error', message: 'The service failed, nothing was changed' },
  503: { code: 'busy', message: 'The store is busy or away, nothing was changed, try again' },
} as const satisfies Record<number, ApiError>;

type RefusalStatus = keyof typeof refusalExamples;

function refusalsOf(endpoint: Endpoint): readonly RefusalStatus[] {
  const withBody = endpoint.body === undefined ? [] : ([413] as const);
  return [...endpoint.refusals, 403, ...withBody, 429, 500, 503];
}

function refusalReference(status: RefusalStatus): object {
  return { $ref: `#/components/responses/Error${status}` };
}

function describeRefusal(example: ApiError): object {
  return {
    description: example.message,
    headers: commonHeaderReferences,
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

const commonHeaderReferences = Object.fromEntries(
  Object.keys(commonHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);
