import { expect, test } from 'vitest';
import { getZoneName } from '../cli/names/zone-names.ts';
import { askSerials } from './ask-serials.ts';
import { DnsFailure } from './dns-failure.ts';
import { startParent, withoutDs, withSerial, soaOf } from './parent.test-support.ts';

const domain = getZoneName('Example.com');

test('each nameserver of the domain is asked for its serial', async () => {
  const lookup = await startParent({
    zone: 'example.com',
    servers: {
      'ns1.example.net': () => withSerial('example.com', 7),
      'ns2.example.net': () => withSerial('EXAMPLE.com', 4_294_967_295),
    },
  });
  const [first, second] = lookup.privateServers.map(({ host, port }) => `${host}:${port}`);
  expect(await askSerials(domain, lookup)).toEqual([
    { name: 'ns1.example.net', address: first, serial: 7 },
    { name: 'ns2.example.net', address: second, serial: 4_294_967_295 },
  ]);
});

test('a nameserver that does not answer for the domain is a problem', async () => {
  const lookup = await startParent({
    zone: 'example.com',
    servers: {
      'parent.example.net': () => withoutDs('com'),
      'empty.example.net': () => ({ flags: 0x0400 }),
      'other.example.net': () => withSerial('www.example.com', 7),
      'cache.example.net': () => ({ answers: [soaOf('example.com')] }),
      'refusing.example.net': () => ({ flags: 5 }),
      'failing.example.net': () => ({ flags: 2 }),
    },
  });
  const servers = await askSerials(domain, lookup);
  expect(servers.map((server) => ('problem' in server ? server.problem : server))).toEqual([
    { kind: 'malformed', message: 'its answer has no SOA record of example.com' },
    { kind: 'malformed', message: 'its answer has no SOA record of example.com' },
    { kind: 'malformed', message: 'its answer has no SOA record of example.com' },
    { kind: 'malformed', message: 'it is not authoritative for example.com' },
    { kind: 'refused', message: `${servers[4].address} answered REFUSED` },
    { kind: 'server_failed', message: `${servers[5].address} answered SERVFAIL` },
  ]);
});

test('an address that is not public is asked only if it is listed', async () => {
  let asked = 0;
  const lookup = await startParent({
    zone: 'example.com',
    servers: {
      'ns1.example.net': () => {
        asked++;
        return withSerial('example.com', 7);
      },
    },
  });
  expect(await askSerials(domain, { ...lookup, privateServers: [] })).toEqual([
    {
      name: 'ns1.example.net',
      address: undefined,
      problem: { kind: 'no_address', message: 'it has no public address' },
    },
  ]);
  expect(asked).toBe(0);
});

test('nameservers that a resolver does not find are a DnsFailure', async () => {
  const lookup = await startParent({ zone: 'com', servers: {} });
  await expect(askSerials(domain, lookup)).rejects.toThrow(
    /^the nameservers of example\.com cannot be found$/,
  );
});

test('after the deadline the serials that have come are kept, and the other nameservers are timeouts', async () => {
  const stop = new AbortController();
  const lookup = await startParent({
    zone: 'example.com',
    servers: {
      'quick.example.net': () => withSerial('example.com', 7),
      'silent.example.net': (_, overTcp) => {
        if (overTcp) stop.abort(new DnsFailure('timeout', 'it did not answer in time'));
        return 'silence';
      },
    },
  });
  expect(await askSerials(domain, { ...lookup, timeoutMs: 200, signal: stop.signal })).toMatchObject([
    { name: 'quick.example.net', serial: 7 },
    { name: 'silent.example.net', problem: { kind: 'timeout', message: 'it did not answer in time' } },
  ]);
});
