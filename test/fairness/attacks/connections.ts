// Connections that are held, and answers that are not read.
import { connect, type Socket } from 'node:net';
import { loop, makeZone, must, type Attack, type Attacker } from '../attack.ts';

const IDLE_CONNECTIONS = 4096;
const OPENED_AT_ONCE = 64;
const HELD_EXPORTS = 8;

function open({ http }: Attacker): Socket {
  const [host, port] = http.address.split(':');
  const socket = connect(Number(port), host);
  socket.on('error', () => undefined);
  return socket;
}

/** Keeps that many connections open, each with one request; replaces those that are closed. */
async function hold(
  attacker: Attacker,
  count: number,
  begin: (socket: Socket, index: number) => void,
): Promise<void> {
  const sockets: Socket[] = [];
  await loop(attacker, 1, async () => {
    for (let opened = 0, index = 0; index < count && opened < OPENED_AT_ONCE; index++) {
      const held = sockets.at(index);
      if (held !== undefined && !held.destroyed) continue;
      const socket = open(attacker);
      sockets[index] = socket;
      begin(socket, index);
      opened++;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
  for (const socket of sockets) socket.destroy();
}

export const idleConnections: Attack = {
  title: '4,096 idle keep-alive connections from one address, no key',
  run: (attacker) =>
    hold(attacker, IDLE_CONNECTIONS, (socket) => {
      socket.write('GET /v2/domains HTTP/1.1\r\nHost: x\r\n\r\n');
    }),
};

export const unreadExports: Attack = {
  title: '8 exports that are never read, from two accounts',
  prepare: async ({ http, accomplice }) => {
    await makeZone(http, 'unread-a.example', '$GENERATE 1-199000 h$ 60 A 192.0.2.1\n');
    await makeZone(accomplice, 'unread-b.example', '$GENERATE 1-199000 h$ 60 A 192.0.2.1\n');
  },
  run: (attacker) =>
    hold(attacker, HELD_EXPORTS, (socket, index) => {
      const [domain, { key }] =
        index % 2 === 0 ? ['unread-a.example', attacker.http] : ['unread-b.example', attacker.accomplice];
      const path = index < HELD_EXPORTS / 2 ? 'zonefile' : 'records/export';
      socket.pause();
      socket.write(
        `GET /v2/domains/${domain}/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`,
      );
    }),
};

export const freshRepeats: Attack = {
  title: 'repeats that change nothing, each with a fresh Idempotency-Key',
  prepare: ({ http }) => must(http, 'POST', '/v2/domains', { domain: 'repeats.example' }),
  run: (attacker) => {
    const run = Math.random().toString(36).slice(2);
    const create = Array.from({ length: 50 }, (_, i) => ({
      type: 'A',
      name: `r${i}`,
      data: '192.0.2.1',
      ttl: 60,
    }));
    return loop(attacker, 8, (round, index) =>
      attacker.http.post(
        '/v2/domains/repeats.example/batch',
        { create },
        { headers: { 'idempotency-key': `${run}-${index}-${round}` } },
      ),
    );
  },
  mostGrowthBytes: 2 ** 20,
};
