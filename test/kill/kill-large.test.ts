import { readdirSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { createDomain } from '../harness/fixtures.ts';
import { chooseSeed, seededRandom } from '../harness/random.ts';
import { pause, startVictim } from './victim.ts';

/* The service is killed while it replaces a whole domain, which is prepared outside the writer and taken over by it. */

const KILLS = 8;
/** More than the writer decides itself. */
const RECORDS = 1500;

const seed = chooseSeed();
console.log(`TEST_SEED=${seed}`);
const victim = await startVictim();
afterAll(() => victim.end());

test('rule 9: a domain that is replaced when the service is killed has all of its old or all of its new records', async () => {
  const random = seededRandom(seed);
  const domain = await createDomain(victim.current());
  let acknowledged = 0;
  let stopping = false;
  const writer = async (): Promise<void> => {
    for (let version = 1; !stopping; version++) {
      const { reply } = await victim.request((http) =>
        http.put(`/v2/domains/${domain}/zonefile`, zone(version)),
      );
      expect(reply.status, reply.text).toBe(200);
      acknowledged = version;
    }
  };
  const writing = writer();
  for (let kill = 0; kill < KILLS; kill++) {
    await pause(200 + random.below(2000));
    const before = acknowledged;
    await victim.kill();
    await victim.restart();
    const { reply } = await victim.request((http) => http.get(`/v2/domains/${domain}/zonefile`));
    const versions = Array.from(reply.text.matchAll(/^r\d+\s.*"v(\d+)"/gm), ([, version]) => Number(version));
    expect(new Set(versions).size, `versions after kill ${kill}`).toBeLessThanOrEqual(1);
    if (before > 0) {
      expect(versions).toHaveLength(RECORDS);
      expect(versions[0]).toBeGreaterThanOrEqual(before);
    }
  }
  stopping = true;
  await writing;
  await victim.kill();
  await victim.restart();
  expect(readdirSync(victim.current().data).filter((name) => name.includes('staged'))).toEqual([]);
  expect(acknowledged).toBeGreaterThan(0);
}, 300_000);

/** Each record says which version of the zone it belongs to. */
function zone(version: number): { records: readonly object[] } {
  const records = Array.from({ length: RECORDS }, (_, index) => ({
    type: 'TXT',
    name: `r${index}`,
    data: `"v${version}"`,
    ttl: 300,
  }));
  return { records };
}
