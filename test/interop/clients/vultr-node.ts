// @vultr/vultr-node from npm, pointed at the service with `baseUrl`. It returns failures as values and declares
// record parameters as strings.

import { initialize } from '@vultr/vultr-node';
import type { ClientDomain, ClientRecord, DnsClient, NewRecord, Soa } from '../dns-client.ts';
import { lifeCycleSuite } from '../life-cycle.ts';

interface Page {
  readonly domains?: readonly ClientDomain[];
  readonly records?: readonly ClientRecord[];
  readonly meta: { readonly links: { readonly next: string } };
}

/** The package declares everything as `any`. */
type Library = Readonly<Record<keyof ReturnType<typeof initialize>['dns'], Call>>;
type Call = (parameters: object) => Promise<unknown>;

export const vultrNodeSuite = lifeCycleSuite('vultr-node', (bench, key) =>
  Promise.resolve(createClient(initialize({ apiKey: key, baseUrl: `${bench.tap.url}/v2` }).dns)),
);

function createClient(library: Library): DnsClient {
  const path = (domain: string, id?: string) => ({
    'dns-domain': domain,
    ...(id === undefined ? {} : { 'record-id': id }),
  });
  return {
    listDomains: () =>
      everyPage(library.listDomains, {}, ({ domains = [] }) => domains.map(({ domain }) => domain)),
    getDomain: async (domain) =>
      (await settle<{ domain: ClientDomain }>(library.getDomain(path(domain)))).domain,
    createDomain: async (domain, ip, isSigned) => {
      const signing = isSigned === true ? { dns_sec: 'enabled' } : {};
      const created = library.createDomain({ domain, ip, ...signing });
      return (await settle<{ domain: ClientDomain }>(created)).domain;
    },
    deleteDomain: (domain) => settle(library.deleteDomain(path(domain))),
    listRecords: (domain) => everyPage(library.listRecords, path(domain), ({ records = [] }) => records),
    getRecord: async (domain, id) =>
      (await settle<{ record: ClientRecord }>(library.getRecord(path(domain, id)))).record,
    createRecord: async (domain, record) =>
      (await settle<{ record: ClientRecord }>(library.createRecord({ ...path(domain), ...record }))).record,
    updateRecord: (domain, id, change) =>
      settle(library.updateRecord({ ...path(domain, id), ...numbersAsText(change) })),
    deleteRecord: (domain, id) => settle(library.deleteRecord(path(domain, id))),
    soa: {
      read: async (domain) => (await settle<{ dns_soa: Soa }>(library.getSoaInfo(path(domain)))).dns_soa,
      update: (domain, soa) => settle(library.updateSoaInfo({ ...path(domain), ...soa })),
      listDnssec: async (domain) =>
        (await settle<{ dns_sec: string[] }>(library.getDnsSecInfo(path(domain)))).dns_sec,
      setDnssec: (domain, state) => settle(library.updateDomain({ ...path(domain), dns_sec: state })),
    },
    close: () => Promise.resolve(),
  };
}

/** Converts to its declared parameter types: `ttl` and `priority` are strings. */
function numbersAsText(change: Partial<NewRecord>): Record<string, string> {
  return Object.fromEntries(Object.entries(change).map(([key, value]) => [key, String(value)]));
}

async function settle<T>(call: Promise<unknown>): Promise<T> {
  const value = await call;
  if (value instanceof Error) throw value;
  return value as T;
}

async function everyPage<T>(
  list: Call,
  parameters: object,
  itemsOf: (page: Page) => readonly T[],
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page: Page = await settle(list({ ...parameters, per_page: 100, ...(cursor ? { cursor } : {}) }));
    items.push(...itemsOf(page));
    cursor = page.meta.links.next;
  } while (cursor !== '');
  return items;
}
