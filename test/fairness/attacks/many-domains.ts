import { loop, type Attack } from '../attack.ts';

/** As many domains as the attacker can create, with the smallest zone memory that the service accepts. */
export const manyDomains: Attack = {
  title: 'domains without end in one account, with 16 MB of zone memory',
  settings: { ZONEWRIGHT_ZONE_MEMORY: '16M' },
  run: (attacker) => {
    const run = Math.random().toString(36).slice(2);
    return loop(attacker, 64, (round, index) =>
      attacker.http.post('/v2/domains', { domain: `d${index}-${round}-${run}.example` }),
    );
  },
};
