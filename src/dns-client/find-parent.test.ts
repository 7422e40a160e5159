import { expect, test } from 'vitest';
import { getZoneName } from '../cli/names/zone-names.ts';
import { formatDomainName, rootName } from '../dns/name.ts';
import { findParent } from './find-parent.ts';
import { recordOf, showZoneServer, soaOf, startParent, type TestParent } from './parent.test-support.ts';

const silent = () => undefined;

async function find(domain: string, parent: Partial<TestParent>) {
  const lookup = await startParent({ zone: 'com', servers: { 'a.servers.net': silent }, ...parent });
  const found = await findParent(getZoneName(domain), lookup);
  return { zone: formatDomainName(found.zone), servers: found.servers.map(showZoneServer) };
}

const alias = recordOf('shop.com', 'www.elsewhere.com', 'CNAME');

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

test('all questions share the signal without a warning of Node', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  const names = Array.from({ length: 16 }, (_, i) => `n${i}.servers.net`);
  const lookup = await startParent({
    zone: 'com',
    servers: {},
    also: { 'com NS': { answers: names.map((data) => recordOf('com', data, 'NS')) } },
  });
  const { signal } = new AbortController();
  expect((await findParent(getZoneName('example.com'), { ...lookup, signal })).servers).toHaveLength(16);
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
