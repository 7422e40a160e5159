import { expect, test } from 'vitest';
import { getZoneName } from '../cli/names/zone-names.ts';
import { askDs } from './ask-ds.ts';
import { startNameserver, type Answerer } from './nameserver.test-support.ts';
import { ds, dsText, recordOf, soaOf, startParent, withDs, withoutDs } from './parent.test-support.ts';

const domain = getZoneName('Example.com');

test('each server of the parent zone is asked', async () => {
  const lookup = await startParent({
    zone: 'com',
    servers: {
      'a.servers.net': () => withDs('example.com', 3600),
      'b.servers.net': () => withDs('example.com', 86_400),
      'c.servers.net': () => withoutDs('com'),
    },
  });
  const [a, b, c] = lookup.privateServers.map(({ host, port }) => `${host}:${port}`);
  expect(await askDs(domain, lookup)).toEqual({
    parent: 'com',
    servers: [
      { name: 'a.servers.net', address: a, ds: [dsText], ttl: 3600 },
      { name: 'b.servers.net', address: b, ds: [dsText], ttl: 86_400 },
      { name: 'c.servers.net', address: c, ds: [], ttl: 600 },
    ],
    maxTtl: 86_400,
  });
});

test('a server that does not answer for the parent zone is a problem, and no absence', async () => {
  const lookup = await startParent({
    zone: 'com',
    servers: {
      'child.servers.net': () => withoutDs('example.com'),
      'cache.servers.net': () => ({ answers: [], authorities: [soaOf('com')] }),
      'refusing.servers.net': () => ({ flags: 5 }),
      'alias.servers.net': () => ({
        flags: 0x0400,
        answers: [{ name: 'example.com', type: 'CNAME', class: 'IN', ttl: 5, data: 'com' }],
        authorities: [soaOf('com')],
      }),
      'closing.servers.net': (_, overTcp) => (overTcp ? undefined : { flags: 0x0600 }),
    },
  });
  const { servers, maxTtl } = await askDs(domain, lookup);
  expect(maxTtl).toBe(0);
  expect(servers.map((server) => ('problem' in server ? server.problem.kind : server))).toEqual([
    'malformed',
    'malformed',
    'refused',
    'malformed',
    'malformed',
  ]);
});

test('DS records that are longer than any digest, or too many, are a problem', async () => {
  const dsWith = (...digests: readonly Buffer[]): object => {
    const answers = digests.map((digest) => ({
      ...recordOf('example.com', '', 'DS'),
      data: { ...ds, digest },
    }));
    return { ...withDs('example.com'), answers };
  };
  const large = (answer: object): Answerer => {
    return (_, overTcp) => (overTcp ? answer : { flags: 0x0600 });
  };
  const many = Array.from({ length: 33 }, (_, i) => Buffer.alloc(32, i));
  const lookup = await startParent({
    zone: 'com',
    servers: {
      'longest.servers.net': () => dsWith(Buffer.alloc(64)),
      'longer.servers.net': () => dsWith(Buffer.alloc(65)),
      'huge.servers.net': large(dsWith(Buffer.alloc(60_000))),
      'many.servers.net': large(dsWith(...many)),
    },
  });
  const { servers } = await askDs(domain, lookup);
  expect(servers.map((server) => ('problem' in server ? server.problem.message : server.ds.length))).toEqual([
    1,
    'it has a DS record that is longer than any digest',
    'it has a DS record that is longer than any digest',
    'it lists more than 32 DS records',
  ]);
});

test('a large set of DS records arrives over TCP', async () => {
  const lookup = await startParent({
    zone: 'com',
    servers: { 'a.servers.net': (_, overTcp) => (overTcp ? withDs('example.com') : { flags: 0x0600 }) },
  });
  expect((await askDs(domain, lookup)).servers).toMatchObject([{ ds: [dsText] }]);
});

test('an aborted signal ends the look-up with its reason', async () => {
  const stop = new AbortController();
  const lookup = await startParent({
    zone: 'com',
    servers: {
      'a.servers.net': () => {
        stop.abort(new Error('enough'));
        return undefined;
      },
    },
  });
  await expect(askDs(domain, { ...lookup, signal: stop.signal })).rejects.toThrow('enough');
});

test('the second resolver is asked if the first fails, and first from then on', async () => {
  let asked = 0;
  const broken = await startNameserver(() => {
    asked++;
    return { flags: 2 };
  });
  const lookup = await startParent({ zone: 'com', servers: { 'a.servers.net': () => withoutDs('com') } });
  const resolvers = [broken, lookup.resolver];
  expect(await askDs(domain, { ...lookup, resolvers })).toMatchObject({ parent: 'com', maxTtl: 0 });
  expect(asked).toBe(1);
  await expect(askDs(domain, { ...lookup, resolvers: [broken] })).rejects.toMatchObject({
    kind: 'server_failed',
  });
});
