import { expect, test } from 'vitest';
import { getZoneName } from '../cli/names/zone-names.ts';
import { askClaim, MAX_CLAIM_QUESTIONS, type ClaimSight } from './ask-claim.ts';
import { startNameserver, type Answerer } from './nameserver.test-support.ts';
import { delegating, recordOf, soaOf, startParent, withoutDs, withTexts } from './parent.test-support.ts';

const domain = getZoneName('example.com');
const challenge = { name: getZoneName('_challenge.example.com'), prefix: 'claim=' };

/** A parent zone with these servers, and nameservers at further addresses. */
async function ask(
  servers: Readonly<Record<string, Answerer>>,
  nameservers: Readonly<Record<string, Answerer>> = {},
): Promise<ClaimSight> {
  const names = Object.keys(nameservers);
  const started = await Promise.all(
    names.map((name, i) => startNameserver(nameservers[name], `127.0.1.${i + 1}`)),
  );
  const also = Object.fromEntries(
    names.map((name, i) => [`${name} A`, { answers: [recordOf(name, started[i].host)] }]),
  );
  const lookup = await startParent({ zone: 'com', servers, also });
  const privateServers = [...lookup.privateServers, ...started];
  return await askClaim(domain, challenge, { ...lookup, privateServers, timeoutMs: 200 });
}

test('every server of the parent is asked for the delegation, and every nameserver that one of them names for the challenge', async () => {
  const sight = await ask(
    {
      'a.servers.net': () => delegating('example.com', 'NS1.one.net', 'ns2.one.net'),
      'b.servers.net': () => delegating('example.com', 'ns3.one.net'),
    },
    {
      'ns1.one.net': () => withTexts('_challenge.example.com', 'claim=x', 'v=spf1 -all'),
      'ns2.one.net': () => withTexts('_challenge.example.com'),
      'ns3.one.net': () => ({ flags: 5 }),
    },
  );
  expect(sight.parent).toBe('com');
  expect(sight.parentServers).toMatchObject([
    { name: 'a.servers.net', delegatedTo: ['ns1.one.net', 'ns2.one.net'] },
    { name: 'b.servers.net', delegatedTo: ['ns3.one.net'] },
  ]);
  expect(sight.nameservers).toMatchObject([
    { name: 'ns1.one.net', challenges: ['claim=x'] },
    { name: 'ns2.one.net', challenges: [] },
    { name: 'ns3.one.net', problem: { kind: 'refused' } },
  ]);
});

test('a domain that is not delegated belongs to the parent zone, whose servers are asked for the challenge', async () => {
  const sight = await ask({
    'a.servers.net': ({ questions }) =>
      questions[0].type === 'TXT' ? withTexts('_challenge.example.com', 'claim=x') : withoutDs('com'),
    'b.servers.net': () => withoutDs('com'),
  });
  expect(sight.parentServers).toMatchObject([{ delegatedTo: [] }, { delegatedTo: [] }]);
  expect(sight.nameservers).toMatchObject([{ challenges: ['claim=x'] }, { challenges: [] }]);
});

test.each<[string, object]>([
  ['has the domain itself', { flags: 0x0400, answers: [recordOf('example.com', 'ns1.one.net', 'NS')] }],
  ['is not authoritative, and delegates nothing', { authorities: [soaOf('com')] }],
  ['delegates another domain', { authorities: [recordOf('example.org', 'ns1.one.net', 'NS')] }],
  ['answers from a cache', { answers: [recordOf('example.com', 'ns1.one.net', 'NS')] }],
  ['answers from another zone', { flags: 0x0400, authorities: [soaOf('net')] }],
])('a server of the parent that %s is a problem, and no delegation', async (_, answer) => {
  const sight = await ask({ 'a.servers.net': () => answer });
  expect(sight.parentServers).toMatchObject([{ problem: { kind: 'malformed' } }]);
  expect(sight.nameservers).toEqual([]);
});

test.each<[string, object]>([
  ['a cache', { answers: [recordOf('_challenge.example.com', 'claim=x', 'TXT')] }],
  ['an alias', { flags: 0x0400, answers: [recordOf('_challenge.example.com', 'one.net', 'CNAME')] }],
  ['another name', { flags: 0x0400, answers: [recordOf('example.com', 'claim=x', 'TXT')] }],
])('a challenge from %s is none', async (_, answer) => {
  const sight = await ask(
    { 'a.servers.net': () => delegating('example.com', 'ns1.one.net') },
    { 'ns1.one.net': () => answer },
  );
  for (const server of sight.nameservers) expect('challenges' in server ? server.challenges : []).toEqual([]);
});

test('only nameservers at public or listed addresses are asked, and at most sixteen', async () => {
  expect(MAX_CLAIM_QUESTIONS).toBe(205);
  const hosts = Array.from({ length: 20 }, (_, i) => `ns${i + 10}.one.net`);
  const sight = await ask({
    'a.servers.net': (_, overTcp) => (overTcp ? delegating('example.com', ...hosts) : { flags: 0x0200 }),
  });
  const kinds = sight.nameservers.map((server) => 'problem' in server && server.problem.kind);
  expect(kinds.filter((kind) => kind === 'no_address')).toHaveLength(16);
  expect(kinds.filter((kind) => kind === 'too_many')).toHaveLength(4);
});

test('of a server that names too many nameservers nothing is kept, and nobody is asked for the challenge', async () => {
  const hosts = Array.from({ length: 33 }, (_, i) => `ns${i}.one.net`);
  const sight = await ask({
    'a.servers.net': (_, overTcp) => (overTcp ? delegating('example.com', ...hosts) : { flags: 0x0200 }),
  });
  expect(sight.parentServers).toMatchObject([{ problem: { message: 'it lists more than 32 nameservers' } }]);
  expect(sight.nameservers).toEqual([]);
});

test('text that is longer than a challenge can be is none', async () => {
  const long = ['claim=', 'x'.repeat(250)];
  const sight = await ask(
    { 'a.servers.net': () => delegating('example.com', 'ns1.one.net') },
    {
      'ns1.one.net': () => ({
        flags: 0x0400,
        answers: [
          recordOf('_challenge.example.com', 'claim=1', 'TXT'),
          { ...recordOf('_challenge.example.com', '', 'TXT'), data: long },
        ],
      }),
    },
  );
  expect(sight.nameservers).toMatchObject([{ challenges: ['claim=1'] }]);
});
