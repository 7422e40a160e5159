// Signed domains: whole domains that are signed again and again, servers that never answer, and denials.
import { createSocket } from 'node:dgram';
import { loop, makeZone, must, type Attack, type Attacker } from '../attack.ts';

/** PostgreSQL has no file for it. */
const secret = { ZONEWRIGHT_DNSSEC_SECRET: 'only-for-tests-only-for-tests-1234' } as const;

const LONG = { timeoutMs: 120_000 };

/** A little less than what is signed in one step. */
const LARGE_NAMES = 99_000;
const largeDomains = ['sign-a.example', 'sign-b.example'] as const;

const SMALL_DOMAINS = 100;
const SMALL_NAMES = 1000;

/** Nothing else uses this loopback address. */
const silentResolver = { address: '127.0.0.77', port: 35_353 } as const;

const generate = (count: number): string => `$GENERATE 1-${count} h$ 60 A 192.0.2.1\n`;

export const signedAgain: Attack = {
  title: '2 domains of 99,000 names, signed and no longer signed in turn',
  settings: secret,
  prepare: async ({ http, accomplice }) => {
    await makeZone(http, largeDomains[0], generate(LARGE_NAMES));
    await makeZone(accomplice, largeDomains[1], generate(LARGE_NAMES));
    await must(http, 'PUT', `/v2/domains/${largeDomains[0]}`, { dns_sec: 'enabled' });
  },
  run: (attacker) =>
    loop(attacker, 2, async (_, index) => {
      const http = index === 0 ? attacker.http : attacker.accomplice;
      const path = `/v2/domains/${largeDomains[index]}`;
      await http.request('PUT', path, { dns_sec: 'enabled' }, LONG);
      await http.request('PUT', `${path}?force=true`, { dns_sec: 'disabled' }, LONG);
    }),
};

export const rolledAgain: Attack = {
  title: '100 signed domains of 1,000 names, rolled, cancelled, and their denial changed in turn',
  settings: secret,
  prepare: (attacker) => signSmallDomains(attacker, SMALL_DOMAINS),
  run: (attacker) =>
    loop(attacker, 16, async (round, index) => {
      const path = `/v2/domains/s${(16 * round + index) % SMALL_DOMAINS}.example/dnssec`;
      const { text } = await attacker.http.post(`${path}/rollovers`, {
        algorithm: round % 2 === 0 ? 15 : 13,
      });
      await attacker.http.patch(path, { denial: round % 2 === 0 ? 'nsec3' : 'nsec' }, LONG);
      const { rollover } = JSON.parse(text) as { rollover?: { id: string } };
      if (rollover !== undefined) await attacker.http.delete(`${path}/rollovers/${rollover.id}`, LONG);
    }),
};

async function signSmallDomains({ http }: Attacker, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await makeZone(http, `s${i}.example`, generate(SMALL_NAMES));
    await must(http, 'PATCH', `/v2/domains/s${i}.example`, { dns_sec: 'enabled' });
  }
}

/** The look at a parent zone lasts as long as it may, and rollovers wait for theirs. */
export const silentParents: Attack = {
  title: '40 loops of the state of 100 domains in rollover, with a resolver that never answers',
  settings: {
    ...secret,
    ZONEWRIGHT_RESOLVERS: `${silentResolver.address}:${silentResolver.port}`,
  },
  prepare: async ({ http, accomplice }) => {
    // A closed port would refuse at once.
    await new Promise<void>((resolve) => {
      createSocket('udp4').bind({ ...silentResolver }, resolve);
    });
    for (let i = 0; i < SMALL_DOMAINS; i++) {
      const owner = i % 2 === 0 ? http : accomplice;
      await must(owner, 'POST', '/v2/domains', { domain: `p${i}.example`, dns_sec: 'enabled' });
      await must(owner, 'POST', `/v2/domains/p${i}.example/dnssec/rollovers`, {});
    }
  },
  run: (attacker) =>
    loop(attacker, 40, (round, index) => {
      const domain = (40 * round + index) % SMALL_DOMAINS;
      const http = domain % 2 === 0 ? attacker.http : attacker.accomplice;
      return http.get(`/v2/domains/p${domain}.example/dnssec/status`, LONG);
    }),
};

const FLOOD_LOOPS = 128;

/** Loopback addresses are never rate limited, so each query is answered with proofs. */
export const provenAbsences: Attack = {
  title: '128 loops of queries with DO for missing names of a domain with NSEC3',
  settings: { ...secret, ZONEWRIGHT_DNSSEC_DENIAL: 'nsec3' },
  prepare: async ({ http }) => {
    await makeZone(http, 'denials.example', generate(SMALL_NAMES));
    await must(http, 'PATCH', '/v2/domains/denials.example', { dns_sec: 'enabled' });
  },
  run: (attacker) =>
    loop(attacker, FLOOD_LOOPS, (round, index) =>
      attacker.dns.ask(`no-${round}.a.b.c${index}.denials.example`, 'A', { attempts: 1, dnssec: true }),
    ),
};
