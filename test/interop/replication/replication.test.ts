import { expect, onTestFinished, test } from 'vitest';
import { startCluster, type Cluster } from '../../cluster/cluster.ts';
import { writeToCluster } from '../../cluster/write-to-cluster.ts';
import { createDomain, createRecord } from '../../harness/fixtures.ts';
import { chooseSeed, seededRandom } from '../../harness/random.ts';
import { pause } from '../../kill/victim.ts';
import { formatMissing, missingRequirements } from '../requirements.ts';
import { startPrimaryAndStandby, type PrimaryAndStandby } from './primary-and-standby.ts';

/*
 * The primary is lost and the standby promoted while the service keeps running: its processes find the new primary
 * through the address of both.
 */

const missing = missingRequirements().filter(({ debianPackage }) => debianPackage.startsWith('postgresql'));
if (missing.length > 0) throw new Error(formatMissing(missing));
const seed = chooseSeed();
console.log(`TEST_SEED=${seed}`);

interface Installation {
  readonly servers: PrimaryAndStandby;
  readonly cluster: Cluster;
}

async function start(synchronous: boolean): Promise<Installation> {
  const servers = await startPrimaryAndStandby(synchronous);
  onTestFinished(() => servers.remove());
  const cluster = await startCluster(servers.url);
  onTestFinished(() => cluster.end());
  return { servers, cluster };
}

test('with a synchronous standby, a failover under 16 writers loses nothing that was acknowledged', async () => {
  const { servers, cluster } = await start(true);
  const random = seededRandom(seed);
  const { faults, versions, figures } = await writeToCluster(cluster, seed, async () => {
    await pause(4_000 + random.below(1_000));
    await servers.primary.cutPower();
    await pause(random.below(1_500));
    servers.standby.promote();
    await pause(5_000);
  });
  console.log(figures);
  expect(faults).toEqual([]);
  expect(Math.min(...versions)).toBeGreaterThan(0);
});

test('nameservers that are ahead of a promoted standby end up with what it has', async () => {
  const { servers, cluster } = await start(false);
  const [api] = cluster.apis.map((each) => each.current());
  const dns = cluster.nameservers.map((each) => each.current().dns);
  const seenEverywhere = async (name: string, seen: unknown): Promise<void> => {
    for (const each of dns) await expect.poll(() => each.look(name, 'A')).toEqual(seen);
  };
  const domain = await createDomain(api);
  const deleted = await createRecord(api, domain, { name: 'deleted', data: '192.0.2.1' });
  const changed = await createRecord(api, domain, { name: 'changed', data: '192.0.2.1' });
  await servers.caughtUp();
  await servers.standby.stop();

  // From now on the standby misses everything.
  expect((await api.http.delete(`/v2/domains/${domain}/records/${deleted.id}`)).status).toBe(204);
  const change = { data: '192.0.2.2' };
  expect((await api.http.patch(`/v2/domains/${domain}/records/${changed.id}`, change)).status).toBe(204);
  for (let i = 0; i < 20; i++) await createRecord(api, domain, { name: `missed${i}`, data: '192.0.2.3' });
  const missed = await createDomain(api, undefined, '192.0.2.4');
  await seenEverywhere(`deleted.${domain}`, 'NXDOMAIN');
  await seenEverywhere(`changed.${domain}`, ['192.0.2.2']);
  await seenEverywhere(missed, ['192.0.2.4']);

  await servers.primary.cutPower();
  await servers.standby.start();
  servers.standby.promote();
  // There is no write yet: the feed is shorter than the nameservers have seen it.
  await seenEverywhere(`deleted.${domain}`, ['192.0.2.1']);
  await seenEverywhere(`changed.${domain}`, ['192.0.2.1']);
  await seenEverywhere(`missed0.${domain}`, 'NXDOMAIN');
  await seenEverywhere(missed, 'REFUSED');
  await expect.poll(async () => (await api.http.get(`/v2/domains/${missed}`)).status).toBe(404);

  await createRecord(api, domain, { name: 'after', data: '192.0.2.5' });
  await seenEverywhere(`after.${domain}`, ['192.0.2.5']);
});
