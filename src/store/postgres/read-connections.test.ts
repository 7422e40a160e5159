import { expect, test } from 'vitest';
import { newPostgres } from './postgres-scene.test-support.ts';
import { ReadConnections, shortReads } from './read-connections.ts';
import { StoreBusy } from '../../writes/store-errors.ts';

test('a read that takes too long is refused with one sentence, and its connection stays usable', async () => {
  const database = await newPostgres();
  const connections = new ReadConnections(database.address, {
    ...shortReads,
    connections: 1,
    statementMs: 500,
  });
  const slow = connections.query('SELECT pg_sleep(60)');
  await expect(slow).rejects.toThrow(StoreBusy);
  await expect(slow).rejects.toThrow('exceeded 0.5 s');
  expect(await connections.query('SELECT 7')).toEqual([[7]]);
  await connections.close();
  await database.remove();
});

test('reads beyond the limit of waiting reads are refused', async () => {
  const database = await newPostgres();
  const connections = new ReadConnections(database.address, { ...shortReads, connections: 1, pending: 2 });
  const reads = Array.from({ length: 3 }, () => connections.query('SELECT 7'));
  await expect(reads[2]).rejects.toThrow('2 reads are waiting already');
  expect(await Promise.all(reads.slice(0, 2))).toEqual([[[7]], [[7]]]);
  await connections.close();
  await database.remove();
});
