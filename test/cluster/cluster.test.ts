import { afterAll, expect, test } from 'vitest';
import { startPostgresServer } from '../harness/postgres-server.ts';
import { chooseSeed, seededRandom } from '../harness/random.ts';
import { databaseMachine, startCluster } from './cluster.ts';
import { checkHealing } from './healing.ts';
import { killAtRandom } from './kill-at-random.ts';
import { writeToCluster } from './write-to-cluster.ts';

/*
 * PostgreSQL, two API processes and two nameserver processes, all killed and restarted at random, with zone copies damaged
 * while they are down.
 */

const SECONDS = Number(process.env['CLUSTER_SECONDS'] ?? 60);

const seed = chooseSeed();
console.log(`TEST_SEED=${seed}`);
const server = await startPostgresServer();
afterAll(() => server.remove());
const cluster = await startCluster(await server.newDatabase());
afterAll(() => cluster.end());

test(
  'what a cluster acknowledges is there once and everywhere, whatever is killed and damaged',
  async () => {
    const machines = [databaseMachine(server), ...cluster.apis, ...cluster.nameservers];
    let kills: ReadonlyMap<string, number> = new Map();
    const { faults, versions, figures, currentMs } = await writeToCluster(cluster, seed, async () => {
      kills = await killAtRandom(machines, seededRandom(seed), SECONDS);
    });
    const damages = cluster.nameservers.map((node) => `${node.name} ${node.damages()}`);
    console.log(
      `${figures}; kills: ${[...kills].map(([name, count]) => `${name} ${count}`).join(', ')}; damaged copies: ${damages.join(', ')}`,
    );
    expect([...faults, ...checkHealing('the cluster', currentMs)]).toEqual([]);
    expect(kills.size).toBe(machines.length);
    // At least one per second each, so the writers did meet the kills.
    expect(Math.min(...versions)).toBeGreaterThan(SECONDS);
  },
  SECONDS * 1_000 + 240_000,
);
