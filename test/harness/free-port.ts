import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';

/**
 * Below the ephemeral ports (net.ipv4.ip_local_port_range), so that a server that restarts on its port never finds a
 * client's connection there.
 */
const ports = { from: 15_000, to: 31_000 } as const;

/** The number of the range of ports for a test process that runs beside others, unless Vitest numbers them. */
export const PORT_RANGE_VARIABLE = 'TEST_PORT_RANGE';

/** Concurrent test processes use separate ranges of ports, each as large as one process may need. */
const PORTS_A_PROCESS = 1_000;
const range = Number(process.env[PORT_RANGE_VARIABLE] ?? process.env['VITEST_POOL_ID'] ?? 0);
const first = ports.from + ((range * PORTS_A_PROCESS) % (ports.to - ports.from));

let next = Math.floor(Math.random() * PORTS_A_PROCESS);

/** A port of 127.0.0.1 that is free over UDP and TCP and that this process has not used lately. */
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
