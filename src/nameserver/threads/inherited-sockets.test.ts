import koffi from 'koffi';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../test/harness/free-port.ts';
import { hasIpv6 } from '../../../test/harness/has-ipv6.ts';
import { askUdp, packet, TcpClient } from '../../../test/harness/nameserver/clients.ts';
import {
  limits,
  recordingLog,
  start,
  stop,
  stopAll,
} from '../../../test/harness/nameserver/start-nameserver.ts';
import { isKoffiPlatform } from '../udp/koffi-platform.ts';
import type { ListenAddress } from '../listen-address.ts';
import { AF_INET, AF_INET6, type Libc, loadLibc, SOCK_DGRAM, SOCK_STREAM } from '../udp/libc.ts';

afterEach(stopAll);

describe.runIf(isKoffiPlatform())('inherited sockets', () => {
  const libc = loadLibc();

  test.each([1, 2])(
    'are served by %i workers, and stay usable for the process that bound them',
    async (workers) => {
      const { to, udp, tcp } = await bindAsSupervisor('127.0.0.1', libc);
      for (const round of ['first', 'second']) {
        const { nameserver } = await start({
          workers,
          addresses: [],
          descriptors: [libc.dup(udp), libc.dup(tcp)],
        });
        expect(nameserver.addresses).toEqual([to]);
        const packets = Array.from({ length: 100 }, (_, id) => packet(`echo ${round} ${id}`, id));
        expect((await askUdp(to, packets)).map(({ id }) => id).sort((a, b) => a - b)).toEqual(
          packets.map((_, id) => id),
        );
        const client = await TcpClient.open(to);
        client.send(packet('echo tcp'));
        expect(await client.received(1)).toHaveLength(1);
        client.socket.destroy();
        await stop(nameserver);
      }
    },
  );

  test.runIf(hasIpv6)('of both families answer from the address that was queried', async () => {
    const { to, udp, tcp } = await bindAsSupervisor('::', libc);
    await start({ addresses: [], descriptors: [libc.dup(udp), libc.dup(tcp)] });
    for (const host of ['127.0.0.1', '127.0.0.77', '::1']) {
      const [reply] = await askUdp({ host, port: to.port }, [packet('echo both')], 1);
      expect(reply).toMatchObject({ body: 'echo both', from: host });
    }
  });

  test('are served by the replacement of a crashed worker', async () => {
    const { to, udp, tcp } = await bindAsSupervisor('127.0.0.1', libc);
    const { log, lines } = recordingLog();
    await start({ log, addresses: [], descriptors: [libc.dup(udp), libc.dup(tcp)] });
    await askUdp(to, [packet('crash')], 1, 30);
    await expect.poll(() => lines.join('\n')).toContain('nameserver worker replaced');
    expect(await askUdp(to, [packet('echo again')])).toHaveLength(1);
    const client = await TcpClient.open(to);
    client.send(packet('echo tcp'));
    expect(await client.received(1)).toHaveLength(1);
    client.socket.destroy();
  });

  test('are served by the replacement of a hung worker, which finds the queries that arrived meanwhile', async () => {
    const { to, udp, tcp } = await bindAsSupervisor('127.0.0.1', libc);
    const supervision = { heartbeatMs: 5, checkIntervalMs: 20, silentChecks: 75 };
    const { nameserver } = await start({
      addresses: [],
      descriptors: [libc.dup(udp), libc.dup(tcp)],
      limits: limits({ supervision }),
    });
    for (let hung = 1; hung <= 2; hung++) {
      await askUdp(to, [packet('hang')], 1, 20);
      expect(await askUdp(to, [packet('echo early')])).toMatchObject([{ body: 'echo early' }]);
      const replaced = { workers: 1, answering: 1, fell: 0, hung };
      await expect.poll(() => nameserver.workerFigures()).toEqual(replaced);
    }
    const client = await TcpClient.open(to);
    client.send(packet('echo tcp'));
    expect(await client.received(1)).toHaveLength(1);
    client.socket.destroy();
  });

  test('do not wake a worker that is about to be terminated', async () => {
    const { to, udp, tcp } = await bindAsSupervisor('127.0.0.1', libc);
    const supervision = { drainMs: 100, exitWaitMs: 100 };
    const { nameserver } = await start({
      addresses: [],
      descriptors: [libc.dup(udp), libc.dup(tcp)],
      limits: limits({ supervision }),
    });
    await askUdp(to, [packet('hang')], 1, 30);
    const flood = setInterval(() => void askUdp(to, [packet('none')], 1, 1), 2);
    onTestFinished(() => clearInterval(flood));
    await stop(nameserver);
  });

  test.each([
    [
      'an epoll instance',
      () => libc.epoll_create1(0),
      /^DNS cannot take over descriptor \d+: it is not a socket \(ENOTSOCK\)$/,
    ],
    ['a Unix socket', () => libc.socket(1, SOCK_STREAM, 0), /: it is neither an IPv4 nor an IPv6 socket$/],
    ['an unbound socket', () => libc.socket(AF_INET, SOCK_DGRAM, 0), /: it is not bound to a port$/],
    [
      'a TCP socket that does not listen',
      () => bindSocket(SOCK_STREAM, '127.0.0.1', 0, libc),
      /: it is a TCP socket that does not listen$/,
    ],
    [
      'a closed descriptor',
      () => 9_999,
      /^DNS cannot take over descriptor 9999: it is not a socket \(EBADF\)$/,
    ],
  ])('are rejected if one is %s', async (_, open, sentence) => {
    const { udp, tcp } = await bindAsSupervisor('127.0.0.1', libc);
    const odd = open();
    onTestFinished(() => void libc.close(odd));
    await expect(start({ addresses: [], descriptors: [udp, tcp, odd] })).rejects.toThrow(sentence);
  });

  test('are rejected if a protocol has none, and with dgram', async () => {
    const { udp, tcp } = await bindAsSupervisor('127.0.0.1', libc);
    await expect(start({ addresses: [], descriptors: [udp] })).rejects.toThrow(
      'DNS needs a TCP socket as well, but was handed none',
    );
    await expect(start({ addresses: [], descriptors: [tcp] })).rejects.toThrow(
      'DNS needs a UDP socket as well',
    );
    await expect(start({ udp: 'dgram', addresses: [], descriptors: [udp, tcp] })).rejects.toThrow(
      'DNS can take over sockets only if UDP uses koffi',
    );
  });
});

/** Binds both protocols to one port without accepting; closed after the test. */
async function bindAsSupervisor(
  host: string,
  libc: Libc,
): Promise<{ to: ListenAddress; udp: number; tcp: number }> {
  const listen = koffi.load(null).func('int listen(int, int)') as (
    descriptor: number,
    queue: number,
  ) => number;
  const port = await freePort();
  const udp = bindSocket(SOCK_DGRAM, host, port, libc);
  const tcp = bindSocket(SOCK_STREAM, host, port, libc);
  expect(listen(tcp, 16)).toBe(0);
  return { to: { host, port }, udp, tcp };
}

/** Accepts both families on `::`, as systemd's default does. */
function bindSocket(type: number, host: string, port: number, libc: Libc): number {
  const family = host === '::' ? AF_INET6 : AF_INET;
  const address = new Uint8Array(family === AF_INET6 ? 28 : 16);
  const view = new DataView(address.buffer);
  view.setUint16(0, family, true);
  view.setUint16(2, port);
  if (family === AF_INET) libc.inet_pton(family, host, address.subarray(4));
  const descriptor = libc.socket(family, type, 0);
  onTestFinished(() => void libc.close(descriptor));
  expect(libc.bind(descriptor, address, address.length)).toBe(0);
  return descriptor;
}
