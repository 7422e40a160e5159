import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { TcpClient, waitFor } from '../../../test/harness/nameserver/clients.ts';
import { start, stopAll } from '../../../test/harness/nameserver/start-nameserver.ts';
import { rcode } from '../../dns/codes.ts';
import { lowerDomainName, parseDomainName, type DomainName } from '../../dns/name.ts';
import { ZoneMemory } from '../../zone/zone-memory.ts';
import { createZoneSpace } from '../../zone/zone-space.ts';
import { isKoffiPlatform } from '../udp/koffi-platform.ts';
import type { ListenAddress } from '../listen-address.ts';

// Rate limiting and cookies on real sockets, with real answers. Addresses of 127.0.0.0/8 except the first stand for
// remote clients; Linux allows sending from all of them.
afterEach(stopAll);

const PER_SECOND = 50;
const CLIENT_COOKIE = '0123456789abcdef';

async function serve(udp: 'koffi' | 'dgram', workers = 1): Promise<ListenAddress> {
  const zones = new ZoneMemory(createZoneSpace(2 ** 20, workers, 3));
  const apex = name('example.com');
  zones.host(apex);
  zones.host(name('cold.example'));
  const soa = { serial: 1, rdata: Uint8Array.of(0, 0, ...new Uint8Array(20)), ttl: 3600, negativeTtl: 300 };
  const texts = Array.from({ length: 40 }, (_, i) =>
    Uint8Array.of(12, ...Buffer.from(`a text: ${1000 + i}`)),
  );
  zones.load({ apex, domainId: 1, account: '', soa }, [
    { owner: apex, sets: [{ type: 16, ttl: 60, rdatas: texts }] },
  ]);
  const { to } = await start({
    udp,
    workers,
    memory: zones.space.memory,
    loadZone: () => undefined,
    answererModule: new URL('../query/query-pipeline.ts', import.meta.url),
    answering: { cookieSecret: new Uint8Array(16).fill(7), identifier: '', responsesPerSecond: PER_SECOND },
  });
  return to;
}

function name(text: string): DomainName {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return lowerDomainName(parsed.value);
}

/** A TXT query for the apex of example.com with EDNS; the name '' means no question. */
function query(id: number, cookie = '', asked = 'example.com'): Buffer {
  const option = cookie === '' ? [] : [0, 10, 0, cookie.length / 2, ...Buffer.from(cookie, 'hex')];
  return Buffer.from([
    ...[id >> 8, id & 255, 0, 0, 0, asked === '' ? 0 : 1, 0, 0, 0, 0, 0, 1],
    ...(asked === '' ? [] : [...name(asked), 0, 16, 0, 1]),
    ...[0, 0, 41, 4, 208, 0, 0, 0, 0, 0, option.length, ...option],
  ]);
}

/**
 * Sends from one socket of the address, a few at a time to suit its receive buffer, and returns the replies.
 *
 * @param expected number of replies to wait for without a limit; then, or if 0, until no more arrive
 */
async function send(
  to: ListenAddress,
  from: string,
  packets: readonly Buffer[],
  expected = 0,
): Promise<readonly Buffer[]> {
  const socket = createSocket('udp4');
  const replies: Buffer[] = [];
  socket.on('message', (message) => replies.push(message));
  socket.bind(0, from);
  await once(socket, 'listening');
  for (let at = 0; at < packets.length; at += 20) {
    for (const octets of packets.slice(at, at + 20)) socket.send(octets, to.port, to.host);
    await new Promise((resolve) => setTimeout(resolve, 2));
    await waitFor(() => replies.length >= Math.min(at + 20, expected));
  }
  for (let seen = -1; seen < replies.length;) {
    seen = replies.length;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  socket.close();
  return replies;
}

const octetsOf = (messages: readonly Buffer[]): number =>
  messages.reduce((sum, { length }) => sum + length, 0);
const codeOf = (reply: Buffer): number => (reply[3] & 15) | (extendedCodeOf(reply) << 4);
/** BADCOOKIE replies end in EDNS with only a complete cookie. */
const extendedCodeOf = (reply: Buffer): number => reply[reply.length - 28 - 6];
const cookieOf = (reply: Buffer): string => reply.subarray(-24).toString('hex');

describe.runIf(isKoffiPlatform()).each(['koffi', 'dgram'] as const)('over %s', (udp) => {
  test('a flood with a forged source sends its victim fewer octets than it costs; the victim still gets answers', async () => {
    const to = await serve(udp);
    const flood = Array.from({ length: 3_000 }, (_, id) => query(id));
    const replies = await send(to, '127.0.0.9', flood);
    const whole = replies.filter(({ length }) => length > 500);
    expect(whole.length).toBeGreaterThanOrEqual(PER_SECOND);
    expect(whole.length).toBeLessThan(4 * PER_SECOND);
    expect(octetsOf(replies)).toBeLessThan(octetsOf(flood));
    expect(replies.length).toBeLessThan(flood.length / 2 + 4 * PER_SECOND);

    const tcp = await TcpClient.open(to, '127.0.0.9');
    tcp.send(query(1));
    expect((await tcp.received(1))[0]?.length).toBeGreaterThan(500);
    tcp.socket.destroy();

    const [badCookie] = await send(to, '127.0.0.9', [query(1, CLIENT_COOKIE), query(2, CLIENT_COOKIE)], 1);
    expect(codeOf(badCookie)).toBe(rcode.BADCOOKIE);
    const again = Array.from({ length: 200 }, (_, id) => query(id, cookieOf(badCookie)));
    expect(
      (await send(to, '127.0.0.9', again, again.length)).filter(({ length }) => length > 500),
    ).toHaveLength(200);
    expect(await send(to, '127.0.1.9', [query(3)], 1)).toHaveLength(1);
  });

  test('a query that waits for its zone gets a cookie for its own address', async () => {
    const to = await serve(udp);
    const hosts = ['127.0.0.7', '127.0.1.8', '127.0.2.9'];
    const waited = await Promise.all(
      hosts.map((host) => send(to, host, [query(1, CLIENT_COOKIE, 'x.cold.example')], 1)),
    );
    for (const [i, [reply]] of waited.entries()) {
      expect(reply[3] & 15).toBe(rcode.SERVFAIL);
      const cookie = reply.subarray(-30, -6).toString('hex');
      const [own] = await send(to, hosts[i], [query(2, cookie, '')], 1);
      expect(codeOf(own)).toBe(rcode.NOERROR);
      const [other] = await send(to, hosts[(i + 1) % 3], [query(3, cookie, '')], 1);
      expect(codeOf(other)).toBe(rcode.BADCOOKIE);
    }
  });
});

test.runIf(isKoffiPlatform())('responses of one worker count towards the limit of another', async () => {
  const to = await serve('koffi', 2);
  // All from one port, so that they reach one worker.
  await send(
    to,
    '127.0.0.9',
    Array.from({ length: 1_000 }, (_, id) => query(id)),
  );
  const ports = Array.from({ length: 20 }, (_, id) => send(to, '127.0.0.9', [query(id)]));
  expect((await Promise.all(ports)).flat().filter(({ length }) => length > 500)).toEqual([]);
});
