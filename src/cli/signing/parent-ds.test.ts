import { expect, test } from 'vitest';
import { startNameserver } from '../../dns-client/nameserver.test-support.ts';
import { dsText, soaOf, startParent, withDs, withoutDs } from '../../dns-client/parent.test-support.ts';
import { formatServerAddress, type ServerAddress } from '../../dns-client/server-address.ts';
import { prepareServer } from '../command-line.test-support.ts';
import { textTerminal } from '../terminal/text-terminal.test-support.ts';
import { createAskParent } from './parent-ds.ts';

const server = await prepareServer();
const { run } = server;

/** The resolver has a DS record for example.com, and says that example.net has none. */
const resolverHas = {
  'example.com DS': withDs('example.com', 60),
  'example.net DS': { authorities: [soaOf('net')] },
  'example.org DS': { authorities: [soaOf('example.org')] },
};

function terminalWith(privateServers: readonly ServerAddress[] = []) {
  const listed = privateServers.map(formatServerAddress).join();
  return textTerminal({ environment: { ZONEWRIGHT_PRIVATE_PARENTS: listed } });
}

test('a DS record that the resolver has is looked up at the nameservers of the parent zone', async () => {
  const { resolver, privateServers } = await startParent({
    zone: 'com',
    servers: { 'a.servers.net': () => withDs('example.com', 3600), 'b.servers.net': () => withoutDs('com') },
    also: resolverHas,
  });
  const ask = createAskParent({ resolver: formatServerAddress(resolver) }, terminalWith(privateServers));
  expect(await ask('example.com', false)).toMatchObject({
    state: 'present',
    records: [dsText],
    ttl: 3600,
    servers: { parent: 'com', having: ['a.servers.net'], lacking: ['b.servers.net'] },
  });
  expect(await ask('example.net', false)).toEqual({ state: 'absent' });
  expect(await ask('example.org', false)).toMatchObject({ state: 'unknown' });
});

test('a thorough look-up asks the nameservers in any case', async () => {
  const { resolver, privateServers } = await startParent({
    zone: 'net',
    servers: { 'a.servers.net': () => withDs('example.net') },
    also: resolverHas,
  });
  const ask = createAskParent({ resolver: formatServerAddress(resolver) }, terminalWith(privateServers));
  expect(await ask('example.net', true)).toMatchObject({ state: 'present', ttl: 3600 });
});

test('keys that the resolver has validated count after the DS record is gone', async () => {
  const keys = { flags: 257, algorithm: 13, key: Buffer.alloc(64) };
  const answers = [{ name: 'example.net', type: 'DNSKEY', class: 'IN', ttl: 300, data: keys }];
  const { resolver, privateServers } = await startParent({
    zone: 'net',
    servers: { 'a.servers.net': () => withoutDs('net') },
    also: {
      ...resolverHas,
      'example.net DNSKEY': { flags: 0x0020, answers },
      'other.net DNSKEY': { answers },
      'last.net DNSKEY': { flags: 0x0020, answers: [{ ...answers[0], name: 'last.net', ttl: 0 }] },
      // Only the answer for a name that is in no cache is validated.
      'late.net DNSKEY': { answers },
      '*.late.net A': { flags: 0x0023, authorities: [soaOf('late.net')] },
    },
  });
  const ask = createAskParent({ resolver: formatServerAddress(resolver) }, terminalWith(privateServers));
  expect(await ask('example.net', true)).toMatchObject({ state: 'absent', remembered: 300 });
  expect(await ask('other.net', true)).not.toHaveProperty('remembered');
  expect(await ask('last.net', true)).toMatchObject({ state: 'absent', remembered: 1 });
  expect(await ask('late.net', true)).toMatchObject({ state: 'absent', remembered: 300 });
});

test('nameservers at addresses that are not public are asked only if they are listed', async () => {
  const asked: string[] = [];
  const { resolver } = await startParent({
    zone: 'com',
    servers: { 'a.servers.net': () => void asked.push('a') },
    also: resolverHas,
  });
  const ask = createAskParent({ resolver: formatServerAddress(resolver) }, terminalWith());
  expect(await ask('example.com', true)).toEqual({ state: 'present', records: [dsText], ttl: 60 });
  expect(asked).toEqual([]);
});

test('a resolver that fails is asked again, one that is silent is not', async () => {
  let asked = 0;
  const failing = await startNameserver(() => {
    asked++;
    return { flags: 2 };
  });
  const ask = createAskParent({ resolver: formatServerAddress(failing) }, terminalWith());
  const failed = { state: 'unknown', reason: expect.stringMatching(/SERVFAIL$/) as string };
  expect(await ask('example.com', false)).toEqual(failed);
  expect(await ask('example.com', false)).toEqual(failed);
  // For the DS record, and for the parent zone.
  expect(asked).toBe(4);
  const silent = createAskParent({ resolver: '127.0.0.1:1' }, terminalWith());
  const first = await silent('example.com', true);
  expect(first).toEqual({ state: 'unknown', reason: 'no resolver answered' });
  expect(await silent('example.net', true)).toBe(first);
});

test('nobody is asked with --resolver none', async () => {
  expect(await createAskParent({ resolver: 'none' }, terminalWith())('example.com', true)).toBeUndefined();
});

test.each([
  [{ resolver: 'dns.example' }, {}, /^--resolver: /],
  [{}, { ZONEWRIGHT_RESOLVERS: '192.0.2.1,a' }, /^ZONEWRIGHT_RESOLVERS: /],
  [{}, { ZONEWRIGHT_PRIVATE_PARENTS: '127.0.0.1:0' }, /^ZONEWRIGHT_PRIVATE_PARENTS: /],
])('invalid addresses are refused: %j %j', (options, environment, message) => {
  expect(() => createAskParent(options, textTerminal({ environment }))).toThrow(message);
});

test('check says which DS record the parent has, unless the domain is signed here', async () => {
  const { resolver } = await startParent({ zone: 'com', servers: {}, also: resolverHas });
  const check = (dnssec: readonly string[]) => {
    server.answers = [
      { status: 200, body: { warnings: [] } },
      { status: 200, body: { dns_sec: dnssec } },
    ];
    return run(['check', 'example.com', '--resolver', formatServerAddress(resolver)]);
  };
  const found = await check([]);
  expect(found).toMatchObject({ exitCode: 0, stdout: '' });
  expect(found.stderr).toMatch(
    /^example\.com: the domain is not signed here, but a resolver has the DS record 27933 13 2 /,
  );
  const ours = ['example.com IN DNSKEY 257 3 13 AAAA', `example.com IN DS ${dsText}`];
  expect(await check(ours)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});
