import { sendRequest, type Answer, type Endpoint } from './send-request.ts';
import { getPropagation, waitForPropagation, type PropagationWait } from './wait-for-propagation.ts';
import type {
  AccountJson,
  DomainJson,
  KeyJson,
  KeyScope,
  MetaJson,
  NewKeyJson,
  PropagationJson,
  RecordJson,
} from '../contract/response-shapes.ts';

/**
 * A client of the HTTP interface (docs/contract.md) for the command line, the console and scripts: typed calls over
 * `fetch`, lists as async iterators that page on their own. Runs in Node and in browsers; keeps no state.
 */
export interface ZonewrightClient {
  readonly accounts: {
    list(): AsyncIterable<AccountJson>;
    create(account: {
      readonly name: string;
      readonly email: string;
    }): Promise<{ readonly account: AccountJson; readonly key: NewKeyJson }>;
  };
  readonly keys: {
    /** Of the key's own account, or of another with an administrative key. */
    list(options?: { readonly account?: string | undefined }): AsyncIterable<KeyJson>;
    create(key: {
      readonly label?: string | undefined;
      readonly scope?: KeyScope | undefined;
      readonly account?: string | undefined;
    }): Promise<NewKeyJson>;
    revoke(id: string): Promise<void>;
  };
  readonly domains: {
    list(): AsyncIterable<DomainJson>;
    create(domain: {
      readonly domain: string;
      readonly ip?: string | undefined;
    }): Promise<Created<DomainJson>>;
    get(domain: string): Promise<DomainJson>;
    delete(domain: string): Promise<void>;
    /** What each nameserver serves; with `waitSeconds` (0…60) as soon as all live ones serve the serial. */
    propagation(
      domain: string,
      options?: { readonly serial?: number | undefined; readonly waitSeconds?: number },
    ): Promise<PropagationJson>;
    /** Resolves when all live nameservers serve the serial, or with `current: false` when the time is up. */
    waitForPropagation(domain: string, options: PropagationWait): Promise<PropagationJson>;
  };
  readonly records: {
    list(domain: string): AsyncIterable<RecordJson>;
    create(domain: string, record: NewRecord): Promise<Created<RecordJson>>;
    delete(domain: string, id: string): Promise<Written>;
  };
}

export interface Written {
  /** The domain's serial with the write in it; undefined where the service does not say it. */
  readonly serial: number | undefined;
}

export interface Created<T> extends Written {
  readonly value: T;
  /** False where a repeat found it already there (contract rules 17, 26). */
  readonly created: boolean;
}

export interface NewRecord {
  readonly type: string;
  /** Relative to the domain; `''` or `@` is the apex. */
  readonly name: string;
  /** Presentation form. */
  readonly data: string;
  /** Seconds. */
  readonly ttl?: number | undefined;
  readonly priority?: number | undefined;
}

export interface ClientOptions {
  /** Where the service listens, with or without `/v2`: `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly key: string;
  readonly fetch?: typeof globalThis.fetch;
  /** How Retry-After is waited for; tests choose it. */
  readonly sleep?: (ms: number) => Promise<void>;
}

/** Rows asked for at once: the most the interface gives (contract rule 11). */
const PAGE_SIZE = 500;

/** For `sendRequest`. @throws TypeError when the URL is none. */
export function createEndpoint(options: ClientOptions): Endpoint {
  return {
    url: baseUrl(options.url),
    key: options.key,
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    sleep: options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
  };
}

/** @throws TypeError when the URL is none. Calls reject with ApiError or UnreachableError. */
export function createClient(options: ClientOptions): ZonewrightClient {
  const endpoint = createEndpoint(options);
  const post = (path: string, body: object): Promise<Answer> => sendRequest(endpoint, 'POST', path, { body });
  const remove = async (path: string): Promise<Written> => {
    const answer = await sendRequest(endpoint, 'DELETE', path);
    return { serial: answer.zoneSerial };
  };
  return {
    accounts: {
      list: () => listAll<AccountJson>(endpoint, '/accounts', 'accounts'),
      create: async (account) =>
        (await post('/accounts', account)).body as { account: AccountJson; key: NewKeyJson },
    },
    keys: {
      list: ({ account } = {}) =>
        listAll<KeyJson>(endpoint, '/keys', 'keys', account === undefined ? {} : { account }),
      create: async (key) => ((await post('/keys', key)).body as { key: NewKeyJson }).key,
      revoke: async (id) => {
        await remove(`/keys/${encodeURIComponent(id)}`);
      },
    },
    domains: {
      list: () => listAll<DomainJson>(endpoint, '/domains', 'domains'),
      create: async (domain) => {
        const answer = await post('/domains', domain);
        const body = answer.body as { domain: DomainJson };
        return { value: body.domain, ...describeCreation(answer) };
      },
      get: async (domain) => {
        const { body } = await sendRequest(endpoint, 'GET', domainPath(domain));
        return (body as { domain: DomainJson }).domain;
      },
      delete: async (domain) => {
        await remove(domainPath(domain));
      },
      propagation: (domain, wanted) => getPropagation(endpoint, domainPath(domain), wanted),
      waitForPropagation: (domain, wait) => waitForPropagation(endpoint, domainPath(domain), wait),
    },
    records: {
      list: (domain) => listAll<RecordJson>(endpoint, `${domainPath(domain)}/records`, 'records'),
      create: async (domain, record) => {
        const answer = await post(`${domainPath(domain)}/records`, record);
        const body = answer.body as { record: RecordJson };
        return { value: body.record, ...describeCreation(answer) };
      },
      delete: (domain, id) => remove(`${domainPath(domain)}/records/${encodeURIComponent(id)}`),
    },
  };
}

function baseUrl(text: string): string {
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(`${text} is not an http or https URL`);
  return (url.origin + url.pathname).replace(/\/+$/, '').replace(/\/v2$/, '');
}

function domainPath(domain: string): string {
  return `/domains/${encodeURIComponent(domain)}`;
}

function describeCreation({ status, zoneSerial }: Answer): { created: boolean; serial: number | undefined } {
  return { created: status === 201, serial: zoneSerial };
}

async function* listAll<T>(
  endpoint: Endpoint,
  path: string,
  member: string,
  query: Readonly<Record<string, string>> = {},
): AsyncGenerator<T, void, undefined> {
  let cursor = '';
  do {
    const parameters = new URLSearchParams({
      ...query,
      per_page: String(PAGE_SIZE),
      ...(cursor === '' ? {} : { cursor }),
    });
    const { body } = await sendRequest(endpoint, 'GET', `${path}?${parameters.toString()}`);
    const page = body as Record<string, readonly T[]> & { readonly meta: MetaJson };
    yield* page[member] ?? [];
    cursor = page.meta.links.next;
  } while (cursor !== '');
}
