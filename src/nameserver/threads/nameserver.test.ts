import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { freePort } from '../../../test/harness/free-port.ts';
import { hasIpv6 } from '../../../test/harness/has-ipv6.ts';
import {
  askUdp,
  askUdpUntilAnswered,
  packet,
  TcpClient,
  threadsOf,
} from '../../../test/harness/nameserver/clients.ts';
import {
  limits,
  recordingLog,
  start,
  stop,
  stopAll,
} from '../../../test/harness/nameserver/start-nameserver.ts';
import { isKoffiPlatform } from '../udp/koffi-platform.ts';
import type { ListenAddress } from '../listen-address.ts';
import { NameserverStartError } from '../nameserver-start-error.ts';

afterEach(stopAll);

describe.each(isKoffiPlatform() ? (['koffi', 'dgram'] as const) : (['dgram'] as const))('over %s', (udp) => {
  test.each(hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'])(
    'answers UDP and TCP on %s, on the same port',
    async (host) => {
      const { to } = await start({ udp, addresses: [{ host, port: 0 }] });
      const replies = await askUdp(to, [packet('echo hello', 7)]);
      expect(replies).toMatchObject([{ id: 7, isResponse: true, body: 'echo hello', from: host }]);
      const client = await TcpClient.open(to);
      client.send(packet('echo tcp', 8));
      expect(await client.received(1)).toMatchObject([{ id: 8, isResponse: true, body: 'echo tcp' }]);
      client.socket.destroy();
    },
  );

  test('answers each query of a burst of 1,000', async () => {
    const { to } = await start({ udp });
    const packets = Array.from({ length: 1_000 }, (_, id) => packet(`echo ${id}`, id));
    const replies = [];
    for (let at = 0; at < packets.length; at += 100)
      replies.push(...(await askUdp(to, packets.slice(at, at + 100))));
    expect(new Set(replies.map(({ id, body }) => `${id} ${body}`)).size).toBe(1_000);
    expect(replies.every(({ id, body }) => body === `echo ${id}`)).toBe(true);
  });

  test('does not answer packets that deserve no answer, and answers the queries around them', async () => {
    const { to } = await start({ udp });
    const commands = ['echo a', 'none', 'echo b', 'none', 'none', 'size 1232', 'echo c'];
    const replies = await askUdp(
      to,
      [...commands.map((command, id) => packet(command, id)), Buffer.alloc(3)],
      4,
    );
    expect(replies.map(({ id, length }) => [id, length])).toEqual([
      [0, 18],
      [2, 18],
      [5, 1232],
      [6, 18],
    ]);
  });

  test('answers a query over 4096 octets with FORMERR, and the next one normally', async () => {
    const { to } = await start({ udp });
    const replies = await askUdp(to, [packet('x'.repeat(5_000), 1), packet('echo next', 2)]);
    expect(replies).toMatchObject([
      { id: 1, rcode: 1, length: 12 },
      { id: 2, rcode: 0, body: 'echo next' },
    ]);
  });

  test('an exception in the answerer causes SERVFAIL for that query only', async () => {
    const { log, lines } = recordingLog();
    const { to } = await start({ udp, log });
    const replies = await askUdp(to, [packet('fault', 1), packet('echo on', 2)]);
    expect(replies).toMatchObject([{ rcode: 2 }, { rcode: 0, body: 'echo on' }]);
    // The log line arrives from another thread.
    const faults = () => lines.filter((line) => line.includes('a fault in the answer path'));
    await expect.poll(faults).toHaveLength(1);
  });

  test('holds queries until their zone is loaded, and requests it once', async () => {
    const { to, loads } = await start({ udp });
    const packets = Array.from({ length: 20 }, (_, id) => packet(`zone 5 ${id}`, id));
    const replies = await askUdp(to, [...packets, packet('echo between', 99)], 21);
    expect(replies).toHaveLength(21);
    expect(replies.every(({ rcode, isResponse }) => rcode === 0 && isResponse)).toBe(true);
    expect(loads).toEqual(['5']);
  });

  test('answers SERVFAIL if the zone is still missing after the load', async () => {
    const { to, loads } = await start({ udp });
    expect(await askUdp(to, [packet('zone 200', 1)])).toMatchObject([{ id: 1, rcode: 2 }]);
    expect(loads).toEqual(['200']);
  });

  test('holds queries for the duration of a load, and answers others meanwhile', async () => {
    const memory = new SharedArrayBuffer(256);
    const loads: (() => void)[] = [];
    const loadZone = (): Promise<void> => new Promise((resolve) => loads.push(resolve));
    const { to } = await start({ udp, memory, loadZone });
    const replies = askUdp(to, [packet('zone 5 x', 5), packet('echo meanwhile', 1)], 2);
    await expect.poll(() => loads.length).toBe(1);
    expect(await askUdp(to, [packet('echo more', 2)])).toMatchObject([{ id: 2, rcode: 0 }]);
    new Uint8Array(memory)[5] = 1;
    loads[0]();
    expect(await replies).toMatchObject([
      { id: 1, rcode: 0 },
      { id: 5, rcode: 0 },
    ]);
  });

  test('answers SERVFAIL if a load fails, and logs the reason', async () => {
    const { log, lines } = recordingLog();
    const { to } = await start({ udp, log, loadZone: () => Promise.reject(new Error('no such luck')) });
    expect(await askUdp(to, [packet('zone 5 x', 1)])).toMatchObject([{ id: 1, rcode: 2 }]);
    expect(lines.filter((line) => line.includes('no such luck'))).toHaveLength(1);
  });

  test('answers SERVFAIL at once if too many queries wait, and continues loading', async () => {
    const { to } = await start({ udp, limits: limits({ pending: { queries: 2 } }) });
    const packets = Array.from({ length: 5 }, (_, id) => packet(`zone ${id} x`, id));
    const replies = await askUdp(to, packets);
    expect(replies).toHaveLength(5);
    expect(replies.filter(({ rcode }) => rcode === 2).length).toBeGreaterThan(0);
    expect(await askUdp(to, [packet('zone 4 x')])).toMatchObject([{ rcode: 0 }]);
  });

  test('replaces a crashed worker and keeps answering', async () => {
    const { log, lines } = recordingLog();
    const { to } = await start({ udp, log, limits: limits({ supervision: { firstBackOffMs: 20 } }) });
    for (const command of ['crash', 'exit', 'crash']) {
      const before = await askUdpUntilAnswered(to, 'thread');
      await askUdp(to, [packet(command)], 1, 20);
      const after = await askUdpUntilAnswered(to, 'thread');
      expect(Number((await askUdpUntilAnswered(to, 'thread')).body)).toBeGreaterThan(Number(before.body));
      expect(after.isResponse).toBe(true);
    }
    const client = await TcpClient.open(to);
    client.send(packet('echo tcp too'));
    expect(await client.received(1)).toMatchObject([{ body: 'echo tcp too' }]);
    client.socket.destroy();
    expect(lines.filter((line) => line.includes('crashed; replacing it'))).toHaveLength(3);
  });

  test('names the address if a port is in use', async () => {
    const other = createSocket('udp4');
    other.bind(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address();
    const failure = start({ udp, addresses: [{ host: '127.0.0.1', port }] });
    await expect(failure).rejects.toThrow(NameserverStartError);
    await expect(failure).rejects.toThrow(
      `DNS cannot listen on 127.0.0.1 port ${port} (UDP): the port is in use by another program`,
    );
    other.close();
  });

  test('names the address if a port is in use for TCP, and closes what it had opened', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const addresses = [{ host: '127.0.0.1', port }];
    await expect(start({ udp, addresses, workers: 2 })).rejects.toThrow(
      `127.0.0.1 port ${port} (TCP): the port is in use`,
    );
    other.close();
    await once(other, 'close');
    const { to } = await start({ udp, addresses });
    expect(to.port).toBe(port);
  });

  test('refuses a second nameserver on the same port', async () => {
    const { to } = await start({ udp, workers: 2 });
    await expect(start({ udp, addresses: [to] })).rejects.toThrow('in use');
  });

  test('names an address that the machine does not have', async () => {
    await expect(start({ udp, addresses: [{ host: '192.0.2.1', port: 5353 }] })).rejects.toThrow(
      'DNS cannot listen on 192.0.2.1 port 5353 (UDP): this machine does not have that address',
    );
  });

  test('stops with nothing left open, after finishing the answers in progress', async () => {
    const { nameserver, to } = await start({ udp, addresses: [await freeAddress()] });
    const idle = await TcpClient.open(to);
    const asked = askUdp(to, [packet('echo last')]);
    expect(await asked).toHaveLength(1);
    await stop(nameserver);
    expect(await idle.wasClosed()).toBe(true);
    expect(await askUdp(to, [packet('echo gone')], 1, 100)).toEqual([]);
    const again = await start({ udp, addresses: [to] });
    expect(again.to).toEqual(to);
  });

  test('loses no answer over TCP when it is stopped', async () => {
    const { nameserver, to, loads } = await start({
      udp,
      limits: limits({ supervision: { drainMs: 30_000 } }),
    });
    const client = await TcpClient.open(to);
    client.socket.pause();
    client.send(...queriesFromZoneOn());
    await expect.poll(() => loads).toEqual(['7']);
    const stopped = stop(nameserver);
    await sleep(50);
    client.socket.resume();
    expect(await client.wasClosed()).toBe(true);
    expect(client.replies.length).toBeGreaterThan(0);
    expect(client.incomplete).toBe(false);
    await stopped;
  });

  test('stopping cuts peers that take no answers, after a wait', async () => {
    const { log, lines } = recordingLog();
    const supervision = { drainMs: 200, exitWaitMs: 30_000 };
    const { nameserver, to, loads } = await start({ udp, log, limits: limits({ supervision }) });
    const client = await TcpClient.open(to);
    client.socket.pause();
    client.send(...queriesFromZoneOn());
    await expect.poll(() => loads).toEqual(['7']);
    await stop(nameserver);
    // Stopped by itself, not terminated.
    expect(lines).toEqual([]);
    client.socket.destroy();
  });
});

describe.runIf(isKoffiPlatform())('over koffi alone', () => {
  test.each([['0.0.0.0', '127.0.0.2'], ['0.0.0.0', '127.0.0.1'], ...(hasIpv6 ? [['::', '::1']] : [])])(
    'bound to %s, answers from the address that was queried: %s',
    async (host, asked) => {
      const { to } = await start({ udp: 'koffi', addresses: [{ host, port: 0 }] });
      const replies = await askUdp({ host: asked, port: to.port }, [
        packet('echo here', 1),
        packet('zone 1', 2),
      ]);
      expect(replies).toMatchObject([{ from: asked }, { from: asked }]);
    },
  );

  test.runIf(hasIpv6)('serves several addresses, and IPv4 and IPv6 on the same port', async () => {
    const { nameserver, to } = await start({ udp: 'koffi', addresses: [await freeAddress()] });
    const both = await start({
      udp: 'koffi',
      addresses: [
        { host: '127.0.0.2', port: to.port },
        { host: '::1', port: to.port },
      ],
    });
    for (const address of [...nameserver.addresses, ...both.nameserver.addresses])
      expect(await askUdp(address, [packet('echo')])).toMatchObject([{ from: address.host }]);
  });

  test('spreads clients over its workers, and the others keep answering while one is replaced', async () => {
    const { to } = await start({ udp: 'koffi', workers: 2 });
    const before = await threadsOf(to);
    expect(before).toHaveLength(40);
    expect(new Set(before).size).toBe(2);
    await askUdp(to, [packet('crash')], 1, 1);
    expect((await threadsOf(to, 1_000)).length).toBeGreaterThan(5);
    const seen = new Set(before);
    while (seen.size < 3) for (const thread of await threadsOf(to, 1_000)) seen.add(thread);
    expect(await threadsOf(to)).toHaveLength(40);
  });

  test('keeps the queries that arrive while a worker is replaced', async () => {
    const { to } = await start({ udp: 'koffi' });
    await askUdp(to, [packet('crash')], 1, 30);
    const packets = Array.from({ length: 50 }, (_, id) => packet(`echo ${id}`, id));
    const replies = await askUdp(to, packets);
    expect(replies).toHaveLength(50);
  });

  test('keeps answering after garbage collections', async () => {
    const { to } = await start({ udp: 'koffi' });
    for (let round = 0; round < 20; round++) {
      const packets = Array.from({ length: 60 }, (_, id) => packet(`zone ${round} ${'x'.repeat(1_000)}`, id));
      expect(await askUdp(to, packets)).toHaveLength(60);
    }
  });
});

test('terminates a hung worker under load without ending the process', async () => {
  const { log, lines } = recordingLog();
  const supervision = { drainMs: 50, exitWaitMs: 50 };
  const { nameserver, to } = await start({ workers: 2, log, limits: limits({ supervision }) });
  await askUdp(to, [packet('hang')], 1, 50);
  const packets = Array.from({ length: 200 }, () => packet('echo'));
  const flood = setInterval(() => void askUdp(to, packets, 1, 10), 5);
  await stop(nameserver);
  clearInterval(flood);
  expect(lines.join('\n')).toContain('did not stop by itself');
});

test('gives up on a worker that does not start in time', async () => {
  const supervision = { startWaitMs: 1 };
  await expect(start({ limits: limits({ supervision }) })).rejects.toThrow('worker 0 exited while starting');
});

test.each([
  [[], 'DNS needs at least one address to listen on'],
  [[{ host: 'localhost', port: 53 }], 'DNS cannot listen on localhost: it is not an IP address'],
  [[{ host: '127.0.0.1', port: 65_536 }], 'DNS cannot listen on port 65536: ports are 0 to 65535'],
])('rejects the addresses %j', async (addresses, sentence) => {
  await expect(start({ addresses })).rejects.toThrow(sentence);
});

test('logs when it runs fewer workers than configured', async () => {
  const { log, lines } = recordingLog();
  await start({ udp: 'dgram', workers: 4, log });
  expect(lines[0]).toContain(
    'starting only one nameserver worker: dgram cannot share a port between threads',
  );
});

test('reports a worker that cannot start', async () => {
  const answererModule = new URL('./no-such-module.ts', import.meta.url);
  await expect(start({ answererModule })).rejects.toThrow(/nameserver worker 0 failed: .*no-such-module/);
});

async function freeAddress(): Promise<ListenAddress> {
  return { host: '127.0.0.1', port: await freePort() };
}

/**
 * The worker has received them when it requests zone 7; their answers exceed what a client that does not read can take.
 */
function queriesFromZoneOn(): Buffer[] {
  return [packet('zone 7', 0), ...Array.from({ length: 300 }, (_, i) => packet('size 60000', i + 1))];
}
