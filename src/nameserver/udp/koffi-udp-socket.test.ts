import { afterEach, describe, expect, test } from 'vitest';
import { askUdp, packet } from '../../../test/harness/nameserver/clients.ts';
import { createAnswerer } from '../../../test/harness/nameserver/command-answerer.ts';
import { DropLog } from '../drop-log.ts';
import { isKoffiPlatform } from './koffi-platform.ts';
import { defaultLimits } from '../nameserver-limits.ts';
import { GuardedAnswerer } from '../query/guarded-answerer.ts';
import type { Libc } from './libc.ts';

const EAGAIN = 11;
const EMSGSIZE = 90;

let cleanUp = (): void => undefined;
afterEach(() => cleanUp());

/**
 * A socket of this thread with a scripted sendmmsg, which receives the real library and fails by returning the negated
 * errno.
 */
async function serve(send: (libc: Libc, ...args: Parameters<Libc['sendmmsg']>) => number) {
  const { loadLibc } = await import('./libc.ts');
  const { openUdpSockets, closeUdpSockets } = await import('./open-udp-sockets.ts');
  const { KoffiUdpSocket } = await import('./koffi-udp-socket.ts');
  const libc = loadLibc();
  let errno = 0;
  const scripted: Libc = {
    ...libc,
    sendmmsg: (...args) => {
      const result = send(libc, ...args);
      errno = result < 0 ? -result : libc.lastErrno();
      return Math.max(result, -1);
    },
    lastErrno: () => errno,
  };
  const dropped: Record<string, number> = {};
  const drops = new DropLog((counts) => Object.assign(dropped, counts));
  const opened = openUdpSockets(libc, { host: '127.0.0.1', port: 0 }, 1);
  if (!opened.ok) throw new Error(opened.failure.code);
  const answerer = new GuardedAnswerer({
    answerer: createAnswerer({ memory: new SharedArrayBuffer(8), reader: 0 }),
    requestLoad: () => undefined,
    onFault: (error) => {
      throw error;
    },
    limits: defaultLimits.pending,
  });
  const socket = new KoffiUdpSocket(opened.sockets[0], scripted, answerer, drops);
  cleanUp = () => {
    socket.close();
    closeUdpSockets(libc, opened.sockets);
  };
  const droppedSoFar = (): Record<string, number> => {
    drops.flush();
    return dropped;
  };
  return { to: { host: '127.0.0.1', port: opened.port }, dropped: droppedSoFar };
}

const packets = Array.from({ length: 30 }, (_, id) => packet(id % 3 === 1 ? 'none' : `echo ${id}`, id));
const answered = Array.from({ length: 30 }, (_, id) => id).filter((id) => id % 3 !== 1);

describe.runIf(isKoffiPlatform())('a UDP socket over koffi', () => {
  test('sends the remaining answers when the system takes only some', async () => {
    const { to } = await serve((libc, descriptor, headers, count, flags) =>
      libc.sendmmsg(descriptor, headers, Math.min(count, 3), flags),
    );
    const replies = await askUdp(to, packets, answered.length);
    expect(replies.map(({ id, body }) => [id, body])).toEqual(answered.map((id) => [id, `echo ${id}`]));
  });

  test('keeps answers while the send buffer is full, and sends them when there is room', async () => {
    let full = 5;
    const { to, dropped } = await serve((libc, descriptor, headers, count, flags) =>
      full-- > 0 ? -EAGAIN : libc.sendmmsg(descriptor, headers, Math.min(count, 4), flags),
    );
    const replies = await askUdp(to, packets, answered.length);
    expect(replies.map(({ id }) => id)).toEqual(answered);
    expect(dropped()).toEqual({});
  });

  test('drops and counts answers when the send buffer stays full, then goes on', async () => {
    let full = true;
    const { to, dropped } = await serve((libc, ...args) => (full ? -EAGAIN : libc.sendmmsg(...args)));
    expect(await askUdp(to, packets.slice(0, 1), 1, 200)).toEqual([]);
    await expect.poll(dropped).toEqual({ 'answers dropped: the send buffer stayed full': 1 });
    full = false;
    expect(await askUdp(to, packets, answered.length)).toHaveLength(answered.length);
  });

  test('skips and counts an answer that cannot be sent, and sends the others', async () => {
    let call = 0;
    const { to, dropped } = await serve((libc, descriptor, headers, count, flags) =>
      call++ === 1 ? -EMSGSIZE : libc.sendmmsg(descriptor, headers, call === 1 ? 1 : count, flags),
    );
    await askUdp(to, packets, answered.length, 300);
    await expect.poll(() => Object.keys(dropped())).toEqual(['answers that could not be sent: EMSGSIZE']);
  });
});
