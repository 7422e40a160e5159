import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';

/**
 * Below the ports that the system gives to whoever connects (net.ipv4.ip_local_port_range): a server that is started
 * again on its port never finds a client's connection there.
 */
const PORTS = { from: 15_000, to: 31_000 } as const;

/** A port of 127.0.0.1 that nobody uses, over UDP and TCP alike. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
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
