import { expect, test } from 'vitest';
import { getZoneName } from '../cli/names/zone-names.ts';
import { createAskResolvers } from './ask-resolvers.ts';
import { findNameservers } from './find-nameservers.ts';
import { recordOf, showZoneServer, startParent, type TestParent } from './parent.test-support.ts';

/** The nameservers of com; `a.servers.net` is one that may be asked. */
async function find(also: TestParent['also'] = {}): Promise<readonly string[]> {
  const lookup = await startParent({ zone: 'com', servers: { 'a.servers.net': () => undefined }, also });
  const ask = createAskResolvers(lookup.resolvers);
  return (await findNameservers(getZoneName('com'), ask, lookup)).map(showZoneServer);
}

test('addresses that are not public are asked only if they are named', async () => {
  const nameservers = ['a', 'inside', 'mixed', 'mapped', 'nowhere', 'broken'].map(
    (label) => `${label}.servers.net`,
  );
  const servers = await find({
    'com NS': { answers: nameservers.map((data) => recordOf('com', data, 'NS')) },
    'inside.servers.net A': { answers: [recordOf('inside.servers.net', '127.0.0.3')] },
    'mixed.servers.net A': {
      answers: ['10.0.0.1', '8.8.8.8'].map((address) => recordOf('mixed.servers.net', address)),
    },
    'mixed.servers.net AAAA': {
      answers: ['fe80::1', '2606:4700::1'].map((data) => recordOf('mixed.servers.net', data, 'AAAA')),
    },
    'mapped.servers.net AAAA': {
      answers: [recordOf('mapped.servers.net', '::ffff:127.0.0.2', 'AAAA')],
    },
    'broken.servers.net A': { flags: 2 },
    'broken.servers.net AAAA': { flags: 2 },
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
  const servers = await find({
    'com NS': { answers: names.map((data) => recordOf('com', data, 'NS')) },
    'n0.servers.net A': { answers: addresses.map((address) => recordOf('n0.servers.net', address)) },
  });
  expect(servers.filter((server) => server.startsWith('n0.'))).toEqual([
    ...addresses.slice(0, 4).map((address) => `n0.servers.net ${address}`),
    'n0.servers.net too_many',
  ]);
  expect(servers.slice(-2)).toEqual(['n16.servers.net too_many', 'n17.servers.net too_many']);
  expect(servers).toHaveLength(5 + 15 + 2);
});

test('of a zone with hundreds of nameservers, some that are not asked are shown', async () => {
  const names = Array.from({ length: 60 }, (_, i) => `n${i}.servers.net`);
  const servers = await find({
    'com NS': { answers: names.map((data) => recordOf('com', data, 'NS')) },
  });
  expect(servers).toHaveLength(16 + 16);
});

test('a nameserver whose addresses of one family are unknown has a problem beside the others', async () => {
  expect(await find({ 'a.servers.net AAAA': { flags: 2 } })).toEqual([
    'a.servers.net 127.0.0.2',
    'a.servers.net server_failed',
  ]);
});

test('nameservers that the resolver does not know are a DnsFailure', async () => {
  await expect(find({ 'com NS': {} })).rejects.toThrow(/^the nameservers of com cannot be found$/);
});
