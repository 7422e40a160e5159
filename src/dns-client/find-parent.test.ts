import { expect, test } from 'vitest';
import { getZoneName } from '../cli/names/zone-names.ts';
import { formatDomainName, rootName } from '../dns/name.ts';
import { findParent, type ParentServer } from './find-parent.ts';
import { soaOf, startParent, type TestParent } from './parent.test-support.ts';

const silent = () => undefined;

async function find(domain: string, parent: Partial<TestParent>) {
  const lookup = await startParent({ zone: 'com', servers: { 'a.servers.net': silent }, ...parent });
  const found = await findParent(getZoneName(domain), lookup);
  return { zone: formatDomainName(found.zone), servers: found.servers.map(describe) };
}

function describe(server: ParentServer): string {
  return `${server.name} ${'problem' in server ? server.problem.kind : server.address.host}`;
}

const addressOf = (name: string, data: string, type = 'A') => ({ name, type, class: 'IN', ttl: 60, data });
const alias = { name: 'shop.com', type: 'CNAME', class: 'IN', ttl: 60, data: 'www.elsewhere.com' };

test.each<[string, string, Partial<TestParent>]>([
  ['the name above it', 'Example.COM', {}],
  ['the zone of the name above it', 'a.b.c.com', {}],
  // The negative answer has the SOA record of the target, or none.
  [
    'above an alias',
    'a.shop.com',
    { also: { 'shop.com SOA': { answers: [alias], authorities: [soaOf('com')] } } },
  ],
  ['found without SOA records in negative answers', 'a.b.com', { also: { 'b.com SOA': {} } }],
  ['not a zone beside it', 'a.b.com', { also: { 'b.com SOA': { authorities: [soaOf('c.com')] } } }],
])('the parent zone is %s', async (_, domain, parent) => {
  expect(await find(domain, parent)).toEqual({ zone: 'com.', servers: ['a.servers.net 127.0.0.2'] });
});

test('the parent zone of a top-level domain is the root', async () => {
  const found = await find('com', { zone: '.', also: { '. SOA': { answers: [soaOf('.')] } } });
  expect(found).toEqual({ zone: '.', servers: ['a.servers.net 127.0.0.2'] });
});

test('a domain without a parent, or whose parent nobody serves, is a DnsFailure', async () => {
  const lookup = await startParent({ zone: 'com', servers: {} });
  await expect(findParent(rootName, lookup)).rejects.toThrow(/^the parent zone of \. cannot be found$/);
  await expect(findParent(getZoneName('example.com'), lookup)).rejects.toThrow(
    /^the nameservers of com cannot be found$/,
  );
});

test('addresses that are not public are asked only if they are named', async () => {
  const nameservers = ['a', 'inside', 'mixed', 'mapped', 'nowhere', 'broken'].map(
    (label) => `${label}.servers.net`,
  );
  const { servers } = await find('example.com', {
    also: {
      'com NS': { answers: nameservers.map((data) => addressOf('com', data, 'NS')) },
      'inside.servers.net A': { answers: [addressOf('inside.servers.net', '127.0.0.3')] },
      'mixed.servers.net A': {
        answers: ['10.0.0.1', '8.8.8.8'].map((address) => addressOf('mixed.servers.net', address)),
      },
      'mixed.servers.net AAAA': {
        answers: ['fe80::1', '2606:4700::1'].map((data) => addressOf('mixed.servers.net', data, 'AAAA')),
      },
      'mapped.servers.net AAAA': {
        answers: [addressOf('mapped.servers.net', '::ffff:127.0.0.2', 'AAAA')],
      },
      'broken.servers.net A': { flags: 2 },
      'broken.servers.net AAAA': { flags: 2 },
    },
  });
  expect(servers).toEqual([
    'a.servers.net 127.0.0.2',
    'inside.servers.net no_address',
    'mixed.servers.net 8.8.8.8',
    'mixed.servers.net 2606:4700::1',
    'mapped.servers.net no_address',
    'nowhere.servers.net no_address',
    'broken.servers.net server_failed',
  ]);
});

test('the numbers of nameservers and addresses are limited', async () => {
  const names = Array.from({ length: 18 }, (_, i) => `n${i}.servers.net`);
  const addresses = Array.from({ length: 6 }, (_, i) => `8.8.8.${i + 1}`);
  const { servers } = await find('example.com', {
    also: {
      'com NS': { answers: names.map((data) => addressOf('com', data, 'NS')) },
      'n0.servers.net A': { answers: addresses.map((address) => addressOf('n0.servers.net', address)) },
    },
  });
  expect(servers.filter((server) => server.startsWith('n0.'))).toEqual([
    ...addresses.slice(0, 4).map((address) => `n0.servers.net ${address}`),
    'n0.servers.net too_many',
  ]);
  expect(servers.slice(-2)).toEqual(['n16.servers.net too_many', 'n17.servers.net too_many']);
  expect(servers).toHaveLength(5 + 15 + 2);
});

test('all questions share the signal without a warning of Node', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  const names = Array.from({ length: 16 }, (_, i) => `n${i}.servers.net`);
  const lookup = await startParent({
    zone: 'com',
    servers: {},
    also: { 'com NS': { answers: names.map((data) => addressOf('com', data, 'NS')) } },
  });
  const { signal } = new AbortController();
  expect((await findParent(getZoneName('example.com'), { ...lookup, signal })).servers).toHaveLength(16);
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
