import type { Packet } from 'dns-packet';
import { expect, test } from 'vitest';
import { getZoneName } from '../cli/names/zone-names.ts';
import { askKeySets } from './ask-key-sets.ts';
import type { Answerer } from './nameserver.test-support.ts';
import { delegating, dsText, recordOf, soaOf, startParent } from './parent.test-support.ts';

const domain = getZoneName('Example.com');
const AUTHORITATIVE = 0x0400;
const key = Buffer.alloc(32, 7);
const keyText = `257 3 15 ${key.toString('base64')}`;

/** Answers each type with these records, and signs the SOA record if that is asked for. */
function withSets(sets: Readonly<Record<string, readonly unknown[]>>, ttl = 300): Answerer {
  return ({ questions, additionals }: Packet) => {
    const [{ name, type }] = questions;
    const isSigned = additionals.some(
      (one) => one.type === 'OPT' && (one as { readonly flag_do?: boolean }).flag_do === true,
    );
    if (type === 'SOA') {
      const signature = {
        ...{ typeCovered: 'SOA', algorithm: 15, labels: 2, originalTTL: 300, expiration: 2, inception: 1 },
        ...{ keyTag: 27933, signersName: name, signature: key },
      };
      const rrsig = { name, type: 'RRSIG', class: 'IN', ttl, data: signature };
      return { flags: AUTHORITATIVE, answers: [soaOf(name, 900, 7), ...(isSigned ? [rrsig] : [])] };
    }
    const answers = (sets[type] ?? []).map((data) => ({ name, type, class: 'IN', ttl, data }));
    return { flags: AUTHORITATIVE, answers };
  };
}

const dnskey = { flags: 257, algorithm: 15, key };
/* The library knows no fields of these. */
const cds = Buffer.from(`6d1d0d02${'ab'.repeat(32)}`, 'hex');
const cdnskey = Buffer.concat([Buffer.from([1, 1, 3, 15]), key]);

test('each nameserver of the domain is asked for its keys, and whose signatures it has', async () => {
  const lookup = await startParent({
    zone: 'example.com',
    servers: {
      'ns1.example.net': withSets({ DNSKEY: [dnskey], CDS: [cds], CDNSKEY: [cdnskey] }),
      'ns2.example.net': withSets({}),
    },
  });
  const [first, second] = lookup.privateServers.map(({ host, port }) => `${host}:${port}`);
  const both = { serial: 7, signers: [27933] };
  expect(await askKeySets(domain, lookup)).toEqual([
    {
      ...{ name: 'ns1.example.net', address: first, ...both },
      ...{ dnskeys: [keyText], keysTtl: 300, cds: [dsText], cdnskeys: [keyText] },
    },
    {
      ...{ name: 'ns2.example.net', address: second, ...both },
      ...{ dnskeys: [], keysTtl: 0, cds: [], cdnskeys: [] },
    },
  ]);
});

test('a nameserver that only the delegation names is asked as well: another provider may list only its own', async () => {
  const lookup = await startParent({
    zone: 'com',
    servers: {
      'a.registry.net': () => delegating('example.com', 'ns1.example.net', 'NS2.example.net'),
      'b.registry.net': () => 'silence',
      'ns1.example.net': withSets({}),
      'ns2.example.net': withSets({ DNSKEY: [dnskey] }),
    },
    also: {
      'com NS': { answers: ['a', 'b'].map((name) => recordOf('com', `${name}.registry.net`, 'NS')) },
      'example.com NS': { answers: [recordOf('example.com', 'ns1.example.net', 'NS')] },
    },
  });
  expect(await askKeySets(domain, { ...lookup, timeoutMs: 100 })).toMatchObject([
    { name: 'ns1.example.net', dnskeys: [] },
    { name: 'ns2.example.net', dnskeys: [keyText] },
  ]);
});

test('a nameserver that does not answer every question for the domain is a problem', async () => {
  const lookup = await startParent({
    zone: 'example.com',
    servers: {
      'cache.example.net': () => ({ answers: [soaOf('example.com')] }),
      'refusing.example.net': () => ({ flags: 5 }),
      'half.example.net': (query, overTcp) =>
        query.questions[0].type === 'CDS' ? { flags: 2 } : withSets({})(query, overTcp),
      'wide.example.net': withSets({
        DNSKEY: Array.from({ length: 33 }, (_, i) => ({ ...dnskey, key: Buffer.alloc(32, i) })),
      }),
    },
  });
  const servers = await askKeySets(domain, lookup);
  expect(servers.map((server) => ('problem' in server ? server.problem : server))).toEqual([
    { kind: 'malformed', message: 'it is not authoritative for example.com' },
    { kind: 'refused', message: `${servers[1].address} answered REFUSED` },
    { kind: 'server_failed', message: `${servers[2].address} answered SERVFAIL` },
    { kind: 'malformed', message: 'it lists more than 32 keys' },
  ]);
});
