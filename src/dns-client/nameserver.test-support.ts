import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { decode, encode, type Packet } from 'dns-packet';
import { onTestFinished } from 'vitest';
import { freePort } from '../../test/harness/free-port.ts';
import type { ServerAddress } from './server-address.ts';

/**
 * The members of the answer besides the id and the question. Undefined drops the question, and closes the connection over
 * TCP; `silence` keeps it open, and `trickle` sends an octet now and then.
 */
export type Answerer = (query: Packet, overTcp: boolean) => object | 'silence' | 'trickle' | undefined;

/** Short for any limit of a connection, long for a processor. */
const TRICKLE_MS = 20;

/** A nameserver with answers from the test, on one port over UDP and TCP; closed at the end of the test. */
export async function startNameserver(answer: Answerer, host = '127.0.0.1'): Promise<ServerAddress> {
  const port = await freePort();
  const connections = new Set<Socket>();
  const tcp = createServer((socket) => {
    connections.add(socket);
    socket.on('data', (bytes) => {
      const query = decode(bytes.subarray(2));
      const members = answer(query, true);
      if (members === undefined) socket.destroy();
      else if (members === 'trickle') trickle(socket);
      else if (members !== 'silence') socket.write(withLength(reply(query, members)));
    });
    socket.on('error', () => undefined);
  }).listen(port, host);
  await once(tcp, 'listening');
  const udp = createSocket('udp4', (bytes, { port: from, address }) => {
    const query = decode(bytes);
    const members = answer(query, false);
    if (typeof members === 'object') udp.send(reply(query, members), from, address);
  });
  udp.bind(port, host);
  await once(udp, 'listening');
  onTestFinished(() => {
    for (const socket of connections) socket.destroy();
    tcp.close();
    udp.close();
  });
  return { host, port };
}

function reply(query: Packet, members: object): Uint8Array {
  return encode({ id: query.id, type: 'response', questions: query.questions, ...members });
}

function withLength(message: Uint8Array): Uint8Array {
  return Buffer.concat([new Uint8Array([message.length >> 8, message.length & 0xff]), message]);
}

/** The beginning of a message that would have 4,096 octets. */
function trickle(socket: Socket): void {
  socket.write(new Uint8Array([0x10, 0]));
  const timer = setInterval(() => socket.write(new Uint8Array(1)), TRICKLE_MS);
  socket.once('close', () => {
    clearInterval(timer);
  });
}
