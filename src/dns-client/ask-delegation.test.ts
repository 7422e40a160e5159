import { expect, test } from 'vitest';
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

test('the number of questions is limited', () => {
  expect(MAX_DELEGATION_QUESTIONS).toBe(173);
});
