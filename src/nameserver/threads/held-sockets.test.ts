import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { askUdp, packet, TcpClient } from '../../../test/harness/nameserver/clients.ts';
import { start, stop, stopAll } from '../../../test/harness/nameserver/start-nameserver.ts';
import { silentLog } from '../../base/log.ts';
import { NameserverStartError } from '../nameserver-start-error.ts';
import { isKoffiPlatform } from '../udp/koffi-platform.ts';
import { type Libc, loadLibc } from '../udp/libc.ts';
import { closeHeldSockets, type HeldSockets, holdSockets, loadSocketCalls } from './held-sockets.ts';

afterEach(stopAll);

/** Holds free ports until the test has ended. */
async function hold(libc: Libc, hosts: readonly string[], workers: number) {
  const held = await holdSockets(
    libc,
    hosts.map((host) => ({ host, port: 0 })),
    workers,
  );
  onTestFinished(() => closeHeldSockets(libc, held));
  return held;
}

/** The descriptors that another process would inherit. */
function duplicate(libc: Libc, held: HeldSockets): HeldSockets {
  return { ...held, udp: held.udp.map((descriptor) => libc.dup(descriptor)), tcp: libc.dup(held.tcp) };
}

describe.runIf(isKoffiPlatform())('held sockets', () => {
  const libc = loadLibc();

  test('each address has a UDP socket for each worker and a TCP socket, on one port', async () => {
    const held = await hold(libc, ['127.0.0.1', '0.0.0.0'], 3);
    expect(held).toMatchObject([
      { host: '127.0.0.1', family: 4, wildcard: false },
      { host: '0.0.0.0', family: 4, wildcard: true },
    ]);
    expect(held.map(({ udp }) => udp.length)).toEqual([3, 3]);
    expect(new Set(held.flatMap(({ udp, tcp }) => [...udp, tcp])).size).toBe(8);
    expect(held.every(({ port }) => port > 0)).toBe(true);
  });

  test('connections are completed although nobody accepts them', async () => {
    const [{ port }] = await hold(libc, ['127.0.0.1'], 1);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  });

  test('a port that is in use is refused with a sentence, over UDP and TCP', async () => {
    const udp = createSocket('udp4').bind(0, '127.0.0.1');
    await once(udp, 'listening');
    const tcp = createServer().listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    onTestFinished(() => {
      udp.close();
      tcp.close();
    });
    const ports = [udp.address().port, (tcp.address() as { port: number }).port];
    for (const [index, protocol] of ['UDP', 'TCP'].entries()) {
      const start = holdSockets(libc, [{ host: '127.0.0.1', port: ports[index] }], 1);
      await expect(start).rejects.toThrow(
        `DNS cannot listen on 127.0.0.1 port ${ports[index]} (${protocol}): the port is in use by another program`,
      );
      await expect(start).rejects.toBeInstanceOf(NameserverStartError);
    }
  });

  test('an address that cannot be bound leaves no socket of the others', async () => {
    const before = await hold(libc, ['127.0.0.1'], 1);
    const [{ port }] = before;
    const addresses = [
      { host: '127.0.0.2', port },
      { host: '192.0.2.1', port },
    ];
    await expect(holdSockets(libc, addresses, 2)).rejects.toThrow('this machine does not have that address');
    const again = await holdSockets(libc, addresses.slice(0, 1), 2);
    closeHeldSockets(libc, again);
  });

  test('with dgram, sockets are not held', async () => {
    expect(await loadSocketCalls('dgram', silentLog)).toBeUndefined();
    expect(await loadSocketCalls('koffi', silentLog)).toBeDefined();
  });

  test.each([1, 3])('%i workers answer on them, and so does the next nameserver', async (workers) => {
    const held = await hold(libc, ['127.0.0.1', '127.0.0.2'], workers);
    for (const round of ['first', 'second']) {
      const { nameserver } = await start({
        workers,
        addresses: [],
        held: held.map((each) => duplicate(libc, each)),
      });
      expect(nameserver.addresses).toEqual(held.map(({ host, port }) => ({ host, port })));
      for (const to of nameserver.addresses) {
        const packets = Array.from({ length: 100 }, (_, id) => packet(`echo ${round} ${id}`, id));
        expect((await askUdp(to, packets)).map(({ id }) => id).sort((a, b) => a - b)).toEqual(
          packets.map((_, id) => id),
        );
        const client = await TcpClient.open(to);
        client.send(packet('echo tcp'));
        expect(await client.received(1)).toHaveLength(1);
        client.socket.destroy();
      }
      await stop(nameserver);
    }
  });

  test('queries that arrive between two nameservers wait for the second one', async () => {
    const [held] = await hold(libc, ['127.0.0.1'], 2);
    const first = await start({ workers: 2, addresses: [], held: [duplicate(libc, held)] });
    await stop(first.nameserver);
    const packets = Array.from({ length: 20 }, (_, id) => packet(`echo ${id}`, id));
    const answers = askUdp(held, packets);
    await start({ workers: 2, addresses: [], held: [duplicate(libc, held)] });
    expect(await answers).toHaveLength(20);
  });
});
