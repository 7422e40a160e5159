import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';

/**
 * Below the ports that the system gives to whoever connects (net.ipv4.ip_local_port_range): a server that is started
 * again on its port never finds a client's connection there.
 */
const PORTS = { from: 15_000, to: 31_000 } as const;

/** Of test processes that run side by side each draws from ports of its own, as many as one may need. */
const PORTS_A_PROCESS = 1_000;
const first =
  PORTS.from + ((Number(process.env['VITEST_POOL_ID'] ?? 0) * PORTS_A_PROCESS) % (PORTS.to - PORTS.from));

let next = Math.floor(Math.random() * PORTS_A_PROCESS);

/** A port of 127.0.0.1 that nobody uses, over UDP and TCP alike, and that this process has not been given lately. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + next;
    next = (next + 1) % PORTS_A_PROCESS;
    if ((await isTcpPortFree(port)) && (await isUdpPortFree(port))) return port;
  }
}

function isTcpPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}

function isUdpPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind(port, HOST, () => socket.close(() => resolve(true)));
  });
}
