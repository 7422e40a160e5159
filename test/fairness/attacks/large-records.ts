// Few requests about much data: records of 60,000 octets and more.
import { loop, must, type Attack, type Attacker } from '../attack.ts';

const RECORDS = 560;
const RECORDS_A_FILE = 140;
const OCTETS = 65_000;

const base64 = Buffer.alloc(OCTETS, 'zonewright').toString('base64');
const largeLine = (index: number): string => `k${index} 60 OPENPGPKEY ${base64}\n`;

async function fill({ http }: Attacker, domain: string, records: number): Promise<void> {
  await must(http, 'POST', '/v2/domains', { domain });
  for (let from = 0; from < records; from += RECORDS_A_FILE) {
    const count = Math.min(RECORDS_A_FILE, records - from);
    const file = Array.from({ length: count }, (_, i) => largeLine(from + i)).join('');
    await must(http, 'POST', `/v2/domains/${domain}/zonefile`, file);
  }
}

async function listIds({ http }: Attacker, domain: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const { json } = await http.get(
      `/v2/domains/${domain}/records?type=OPENPGPKEY&per_page=100${cursor && `&cursor=${cursor}`}`,
    );
    ids.push(...(json.records ?? []).map(({ id }) => id));
    cursor = json.meta?.links.next ?? '';
    if (cursor === '') return ids;
  }
}

export const largeUpdates: Attack = {
  title: 'a batch of new TTLs for 560 records of 65,000 octets',
  prepare: (attacker) => fill(attacker, 'large-updates.example', RECORDS),
  run: async (attacker) => {
    const ids = await listIds(attacker, 'large-updates.example');
    await loop(attacker, 1, (round) => {
      const update = ids.map((id) => ({ id, ttl: 61 + (round % 2) }));
      return attacker.http.post('/v2/domains/large-updates.example/batch', { update });
    });
  },
};

export const largeSearch: Attack = {
  title: 'searches through 990 records of 60,000 octets, from two accounts',
  prepare: (attacker) => fill(attacker, 'large-search.example', 990),
  run: (attacker) =>
    loop(attacker, 4, (_, index) => {
      const http = index % 2 === 0 ? attacker.http : attacker.accomplice;
      return http.get(
        '/v2/domains/large-search.example/records?data=nowhere-to-be-found&data_match=contains',
      );
    }),
};

/** Four zones of 59 MB, of which the zone memory holds two. */
export const zonesBeyondMemory: Attack = {
  title: '20 DNS queries a second for four zones of 59 MB under 128 MB of zone memory',
  settings: { ZONEWRIGHT_ZONE_MEMORY: '128M' },
  prepare: async (attacker) => {
    for (const letter of 'abcd') await fill(attacker, `heavy-${letter}.example`, 900);
  },
  run: (attacker) =>
    loop(attacker, 1, async (round) => {
      const name = `k${round % 900}.heavy-${'abcd'[round % 4]}.example`;
      void attacker.dns.ask(name, 61, { attempts: 1 }).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }),
};

export const unchangedBatches: Attack = {
  title: '4 loops of one 16 MB batch that changes nothing',
  prepare: ({ http }) => must(http, 'POST', '/v2/domains', { domain: 'unchanged.example' }),
  run: (attacker) => {
    const data = `"${'x'.repeat(1500)}"`;
    const create = Array.from({ length: 10_000 }, (_, i) => ({ type: 'TXT', name: `t${i}`, data, ttl: 60 }));
    const body = JSON.stringify({ create });
    return loop(attacker, 4, () =>
      attacker.http.request('POST', '/v2/domains/unchanged.example/batch', body, {
        headers: { 'content-type': 'application/json' },
        timeoutMs: 120_000,
      }),
    );
  },
};
