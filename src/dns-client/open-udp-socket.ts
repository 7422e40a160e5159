import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { DnsFailure } from './dns-failure.ts';
import { formatServerAddress, type ServerAddress } from './server-address.ts';

/**
 * Opens a socket that sends to one address and takes packets only from there. The system chooses its port.
 *
 * @param server an IP address
 * @throws DnsFailure if this machine cannot send to the address
 */
export async function openUdpSocket(server: ServerAddress): Promise<Socket> {
  const socket = createSocket(isIPv6(server.host) ? 'udp6' : 'udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      // Without a free file or port.
      socket.once('error', reject);
      // Without a route, Node passes the error to the listener of `connect`, which its types do not say.
      socket.connect(server.port, server.host, ((error?: Error) => {
        socket.off('error', reject);
        if (error === undefined) resolve();
        else reject(error);
      }) as () => void);
    });
    return socket;
  } catch (error) {
    socket.close();
    const sentence = `this machine cannot send to ${formatServerAddress(server)}`;
    throw new DnsFailure('unreachable', sentence, { cause: error });
  }
}
