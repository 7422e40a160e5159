import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { askUdp, frames, packet, TcpClient } from '../../../test/harness/nameserver/clients.ts';
import { limits, start, stopAll } from '../../../test/harness/nameserver/start-nameserver.ts';

/** A server with the default limits, for all tests that need no others. */
const shared = start({});
afterAll(stopAll);

test('answers several queries in one chunk in order', async () => {
  const { to } = await shared;
  const client = await TcpClient.open(to);
  client.send(...Array.from({ length: 500 }, (_, id) => packet(`echo ${id}`, id)));
  const replies = await client.received(500);
  expect(replies.map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, id) => id));
  client.socket.destroy();
});

test('reassembles queries that arrive in pieces', async () => {
  const { to } = await shared;
  const client = await TcpClient.open(to);
  client.socket.setNoDelay(true);
  const octets = frames(packet('echo one', 1), packet('echo two', 2));
  for (const octet of octets) {
    client.socket.write(Buffer.of(octet));
    await sleep(1);
  }
  expect(await client.received(2)).toMatchObject([{ body: 'echo one' }, { body: 'echo two' }]);
  client.socket.destroy();
});

test('sends the largest message', async () => {
  const { to } = await shared;
  const client = await TcpClient.open(to);
  client.send(packet('size 65535', 1), packet('size 65535', 2), packet('echo after', 3));
  expect((await client.received(3)).map(({ length }) => length)).toEqual([65_535, 65_535, 22]);
  client.socket.destroy();
});

test('answers queries that wait for a zone out of order', async () => {
  const { to } = await shared;
  const client = await TcpClient.open(to);
  client.send(packet('zone 3', 1), packet('echo', 2), packet('zone 200', 3));
  const replies = [...(await client.received(3))].sort((a, b) => a.id - b.id);
  expect(replies.map(({ rcode }) => rcode)).toEqual([0, 0, 2]);
  expect(client.replies[0]?.id).toBe(2);
  client.socket.destroy();
});

test('survives a connection that closes before its zone is loaded', async () => {
  const { to } = await shared;
  for (let i = 0; i < 20; i++) {
    const client = await TcpClient.open(to);
    client.send(packet(`zone ${i}`, 1));
    client.socket.resetAndDestroy();
  }
  expect(await askUdp(to, [packet('echo alive')])).toHaveLength(1);
});

test('answers a peer that has half-closed, then closes too', async () => {
  const { to } = await shared;
  const client = await TcpClient.open(to);
  client.socket.end(frames(packet('echo half', 1), packet('zone 9', 2)));
  expect(await client.received(2)).toHaveLength(2);
  expect(await client.wasClosed()).toBe(true);
});

test('answers queries of any length that the frame can state', async () => {
  const { to } = await shared;
  const client = await TcpClient.open(to);
  client.send(packet('echo', 1), packet(`echo ${'x'.repeat(65_518)}`, 2), packet('echo', 3));
  expect((await client.received(3)).map(({ id, length }) => [id, length])).toEqual([
    [1, 16],
    [2, 65_535],
    [3, 16],
  ]);
  client.socket.destroy();
});

test('cuts a connection when long queries of others take all the room, until they have left', async () => {
  const { to } = await start({ limits: limits({ tcp: { longInputBytes: 200_000 } }) });
  const query = frames(packet(`echo ${'x'.repeat(65_000)}`, 1));
  const openHalfSent = async (): Promise<TcpClient> => {
    const client = await TcpClient.open(to);
    client.socket.write(query.subarray(0, 60_000));
    return client;
  };
  const first = await openHalfSent();
  const others: TcpClient[] = [];
  for (let i = 0; i < 3; i++) others.push(await openHalfSent());
  await expect.poll(() => others.some(({ closed }) => closed)).toBe(true);
  const open = [first, ...others].find(({ closed }) => !closed);
  open?.socket.write(query.subarray(60_000));
  expect(await open?.received(1)).toMatchObject([{ id: 1, length: 65_017 }]);
  for (const client of [first, ...others]) client.socket.destroy();
  const answered = async (): Promise<number> => {
    const client = await TcpClient.open(to);
    client.send(packet(`echo ${'x'.repeat(65_000)}`, 1));
    const { length } = await client.received(1);
    client.socket.destroy();
    return length;
  };
  await expect.poll(answered).toBe(1);
});

const quick = limits({ tcp: { idleMs: 800, firstQueryMs: 400, slowReaderMs: 400 } });

test('cuts connections that send nothing, half a query, or packets that deserve no answer', async () => {
  const { to } = await start({ limits: quick });
  const [silent, partial, useless] = [
    await TcpClient.open(to),
    await TcpClient.open(to),
    await TcpClient.open(to),
  ];
  const drip = setInterval(() => {
    partial.socket.write(Buffer.of(0));
    useless.send(packet('none'));
  }, 30);
  expect(await Promise.all([silent, partial, useless].map((client) => client.wasClosed()))).toEqual([
    true,
    true,
    true,
  ]);
  clearInterval(drip);
});

test('keeps a connection while it sends queries, and cuts it when it is idle', async () => {
  // Sends ten times as often as required, for longer than the idle limit.
  const { to } = await start({ limits: limits({ tcp: { idleMs: 1_500 } }) });
  const client = await TcpClient.open(to);
  for (let id = 1; id <= 10; id++) {
    client.send(packet('echo', id));
    await client.received(id);
    await sleep(160);
  }
  expect(client.replies).toHaveLength(10);
  expect(client.closed).toBe(false);
  expect(await client.wasClosed()).toBe(true);
});

test('stops reading from a peer that takes no answers, and cuts it; others are served', async () => {
  const { to } = await start({ limits: quick });
  const greedy = await TcpClient.open(to);
  greedy.socket.pause();
  greedy.socket.write(frames(...Array.from({ length: 2_000 }, (_, id) => packet('size 60000', id))));
  const other = await TcpClient.open(to);
  other.send(packet('echo', 1));
  expect(await other.received(1)).toHaveLength(1);
  // A peer that does not read learns of the cut by writing.
  const isCut = (): boolean => {
    greedy.socket.write(Buffer.of(0));
    return greedy.closed;
  };
  await expect.poll(isCut).toBe(true);
  expect(greedy.replies.length).toBeLessThan(2_000);
});

test('sends a slow reader everything for as long as it keeps reading', async () => {
  const { to } = await shared;
  const client = await TcpClient.open(to);
  client.socket.pause();
  client.send(...Array.from({ length: 400 }, (_, id) => packet('size 60000', id)));
  await sleep(200);
  client.socket.resume();
  expect((await client.received(400)).map(({ id }) => id)).toEqual(
    Array.from({ length: 400 }, (_, id) => id),
  );
  client.socket.destroy();
});

test('refuses connections beyond the limit of one client, but not those of another client', async () => {
  const { to } = await start({ limits: limits({ tcp: { connectionsPerClient: 3 } }) });
  const first = [await TcpClient.open(to), await TcpClient.open(to), await TcpClient.open(to)];
  expect(await (await TcpClient.open(to)).wasClosed()).toBe(true);
  const other = await TcpClient.open(to, '127.0.0.9');
  other.send(packet('echo'));
  expect(await other.received(1)).toHaveLength(1);
  first[0].socket.end();
  expect(await first[0].wasClosed()).toBe(true);
  const next = await TcpClient.open(to);
  next.send(packet('echo'));
  expect(await next.received(1)).toHaveLength(1);
  for (const client of [...first, other, next]) client.socket.destroy();
});

test('with all places taken, the least recently active connection is closed', async () => {
  const { to } = await start({ limits: limits({ tcp: { connections: 2 } }) });
  const [older, newer] = [await TcpClient.open(to), await TcpClient.open(to)];
  older.send(packet('echo'));
  await older.received(1);
  const third = await TcpClient.open(to);
  third.send(packet('echo'));
  expect(await third.received(1)).toHaveLength(1);
  expect(await newer.wasClosed()).toBe(true);
  expect(older.closed).toBe(false);
  for (const client of [older, third]) client.socket.destroy();
});
