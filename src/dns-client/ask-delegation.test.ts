import { expect, test } from 'vitest';
import { heapOctets } from '../base/heap-octets.ts';
import { parseDomainName, type DomainName } from '../dns/name.ts';
import { askDelegation, MAX_DELEGATION_QUESTIONS, type DelegationSight } from './ask-delegation.ts';
import type { Answerer } from './nameserver.test-support.ts';
import { delegating, dsText, recordOf, startParent, withDs, withoutDs } from './parent.test-support.ts';

const domain = 'example.com';

function nameOf(text: string): DomainName {
  const parsed = parseDomainName(`${text}.`);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

async function look(servers: Readonly<Record<string, Answerer>>): Promise<DelegationSight> {
  const lookup = await startParent({ zone: 'com', servers });
  return askDelegation(nameOf(domain), { ...lookup, timeoutMs: 100 });
}

/** A server that answers NS with a referral, and DS with a record. */
function parentServer(referral: object, ds: object = withDs(domain)): Answerer {
  return ({ questions }) => (questions[0].type === 'DS' ? ds : referral);
}

test('each server of the parent zone shows nameservers, glue inside the domain and DS records', async () => {
  const glue = [
    recordOf('ns1.example.com', '192.0.2.53'),
    recordOf('ns1.example.com', '2001:db8::53', 'AAAA'),
    recordOf('ns.example.net', '192.0.2.54'),
    recordOf('www.example.com', '192.0.2.55'),
  ];
  const referral = { ...delegating(domain, 'NS1.example.com', 'ns.example.net'), additionals: glue };
  const sight = await look({
    'a.servers.net': parentServer(referral),
    'b.servers.net': parentServer(withoutDs('com'), withoutDs('com')),
  });
  expect(sight.parent).toBe('com');
  expect(sight.servers).toMatchObject([
    {
      name: 'a.servers.net',
      nameservers: ['ns.example.net', 'ns1.example.com'],
      glue: [
        { name: 'ns1.example.com', address: '192.0.2.53' },
        { name: 'ns1.example.com', address: '2001:db8::53' },
      ],
      ds: [dsText],
    },
    { name: 'b.servers.net', nameservers: [], glue: [], ds: [] },
  ]);
});

test('a server that says nothing is not asked a second time', async () => {
  const asked: string[] = [];
  const sight = await look({
    'a.servers.net': ({ questions }) => {
      asked.push(questions[0].type);
      return 'silence';
    },
    'b.servers.net': parentServer(delegating(domain, 'ns.example.net')),
  });
  expect(sight.servers).toMatchObject([
    { name: 'a.servers.net', problem: { kind: 'timeout' } },
    { name: 'b.servers.net', nameservers: ['ns.example.net'] },
  ]);
  expect(new Set(asked)).toEqual(new Set(['NS']));
});

test('DS records that a server does not tell are not known', async () => {
  const referral = delegating(domain, 'ns.example.net');
  const sight = await look({ 'a.servers.net': parentServer(referral, { flags: 0x0002 }) });
  expect(sight.servers[0]).toMatchObject({ nameservers: ['ns.example.net'], ds: undefined });
});

test('of a server that lists too much, nothing is kept', async () => {
  const hosts = Array.from({ length: 33 }, (_, i) => `ns${i}.example.net`);
  const sight = await look({ 'a.servers.net': parentServer(delegating(domain, ...hosts)) });
  expect(sight.servers[0]).toMatchObject({ problem: { message: 'it lists more than 32 nameservers' } });
});

test('of 64 servers that list as much as they may, only some lists are kept', async () => {
  const hosts = Array.from({ length: 32 }, (_, i) => `n${i}.${`${'z'.repeat(60)}.`.repeat(3)}example.com`);
  const glue = hosts.map((host) => recordOf(host, '192.0.2.53'));
  const long = { ...delegating(domain, ...hosts), additionals: glue.slice(0, 10) };
  const hostile: Answerer = ({ questions }, overTcp) => {
    if (questions[0].type === 'DS') return withDs(domain);
    return overTcp ? long : { flags: 0x0200 };
  };
  const names = Array.from({ length: 16 }, (_, i) => `s${i}.shared.net`);
  const addresses = [2, 3, 4, 5].map((last) => recordOf('s.shared.net', `127.0.0.${last}`));
  const also = {
    'com NS': { answers: names.map((name) => recordOf('com', name, 'NS')) },
    ...Object.fromEntries(
      names.map((name) => [`${name} A`, { answers: addresses.map((address) => ({ ...address, name })) }]),
    ),
  };
  const servers = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, hostile]));
  const lookup = await startParent({ zone: 'com', servers, also });
  const sight = await askDelegation(nameOf(domain), lookup);
  const problems = sight.servers.flatMap((server) => ('problem' in server ? [server.problem.message] : []));
  expect(sight.servers).toHaveLength(64);
  expect(problems.length).toBeGreaterThan(32);
  expect(problems.length).toBeLessThan(64);
  expect(new Set(problems)).toEqual(new Set(['what the servers list is too long together']));
  expect(heapOctets(sight)).toBeLessThan(400 * 1024);
});

test('the number of questions is limited', () => {
  expect(MAX_DELEGATION_QUESTIONS).toBe(173);
});
