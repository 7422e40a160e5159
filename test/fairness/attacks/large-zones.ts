// Short requests about whole zones.
import { loop, makeZone, must, type Attack } from '../attack.ts';

const LONG = { timeoutMs: 120_000 };
const generate = (count: number): string => `$GENERATE 1-${count} h$ 60 A 192.0.2.1\n`;

export const generatedImports: Attack = {
  title: '100 parallel imports of $GENERATE 1-200000, 36 octets each',
  prepare: ({ http }) => must(http, 'POST', '/v2/domains', { domain: 'generated.example' }),
  run: (attacker) =>
    loop(attacker, 100, (round) =>
      attacker.http.request(
        'PUT',
        '/v2/domains/generated.example/zonefile',
        generate(199_990 + (round % 2)),
        LONG,
      ),
    ),
};

export const dryRunReverts: Attack = {
  title: '40 dry-run reverts of a zone of 190,000 records',
  prepare: async ({ http }) => {
    await makeZone(http, 'reverts.example', generate(10));
    await must(http, 'PUT', '/v2/domains/reverts.example/zonefile', generate(190_000));
  },
  run: async (attacker) => {
    const serial = await attacker.dns.serial('reverts.example');
    await loop(attacker, 40, () =>
      attacker.http.request(
        'POST',
        '/v2/domains/reverts.example/revert?dry_run=true',
        { to: serial - 1 },
        LONG,
      ),
    );
  },
};

export const checks: Attack = {
  title: '40 loops of checks of a zone of 199,000 records',
  prepare: ({ http }) => makeZone(http, 'checked.example', generate(199_000)),
  run: (attacker) => loop(attacker, 40, () => attacker.http.get('/v2/domains/checked.example/check', LONG)),
};

export const recordExports: Attack = {
  title: '40 loops of exports of 199,000 records as JSON lines',
  prepare: ({ http }) => makeZone(http, 'exported.example', generate(199_000)),
  run: (attacker) =>
    loop(attacker, 40, () => attacker.http.get('/v2/domains/exported.example/records/export', LONG)),
};

export const notedImports: Attack = {
  title: 'imports with a note of 500 characters, deletions and restorations',
  prepare: ({ http }) => must(http, 'POST', '/v2/domains', { domain: 'noted.example' }),
  run: (attacker) =>
    loop(attacker, 1, async () => {
      const headers = { 'x-change-note': 'n'.repeat(500) };
      const domain = '/v2/domains/noted.example';
      await attacker.http.request('PUT', `${domain}/zonefile`, generate(200_000), { ...LONG, headers });
      await attacker.http.request('DELETE', domain, undefined, LONG);
      await attacker.http.request('POST', `${domain}/restore`, {}, LONG);
    }),
  mostGrowthBytes: 2 ** 30,
};
