import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createDomain, createRecord, freshDomainName } from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

/*
 * Slow and oversized clients are disconnected, and the others are served meanwhile. All slow clients run concurrently, so that
 * the file takes only as long as the longest timeout.
 */

const service = await startForFile();
const { http, dns } = service;
/** The longest time that the service may keep a client that sends a byte now and then. */
const CUT_WITHIN_MS = 60_000;
/** Rounds of requests by other clients that must be served while slow clients are connected. */
const ROUNDS_MEANWHILE = 10;
const HEAD = `Host: x\r\nAuthorization: Bearer ${service.key}\r\n`;

const slowClients: [string, string, string][] = [
  ['headers that trickle', 'GET /v2/domains HTTP/1.1\r\n', 'X-A: b\r\n'],
  ['a header line that never ends', `GET /v2/domains HTTP/1.1\r\n${HEAD}X-A: `, 'a'],
  ['a request line that never ends', 'GET /', 'a'],
  ['a body that trickles', `POST /v2/domains HTTP/1.1\r\n${HEAD}Content-Length: 1000\r\n\r\n`, ' '],
  [
    'chunks that trickle',
    `POST /v2/domains HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n`,
    '1\r\n \r\n',
  ],
  ['silence after half a body', `POST /v2/domains HTTP/1.1\r\n${HEAD}Content-Length: 1000\r\n\r\n{`, ''],
  ['silence after half a header', `GET /v2/domains HTTP/1.1\r\n${HEAD}`, ''],
];

test('20 slow clients of each kind are disconnected, and others are served meanwhile', async () => {
  const watch = watchOthers();
  const cuts = slowClients.flatMap(([kind, first, trickle]) =>
    Array.from({ length: 20 }, async () => ({ kind, cut: await trickleUntilCut(first, trickle) })),
  );
  const uncut = (await Promise.all(cuts)).filter(({ cut }) => !cut).map(({ kind }) => kind);
  expect([...new Set(uncut)], `not cut within ${CUT_WITHIN_MS} ms`).toEqual([]);
  expect(await watch.stop()).toBeGreaterThanOrEqual(ROUNDS_MEANWHILE);
});

test('oversized headers are refused', async () => {
  const huge = `GET /v2/domains HTTP/1.1\r\n${HEAD}${`X-Filler: ${'a'.repeat(1000)}\r\n`.repeat(100)}\r\n`;
  const answer = await sendAll(Buffer.from(huge));
  expect(answer.closed).toBe(true);
  expect(answer.text).not.toMatch(/^HTTP\/1\.1 [25]/);
  await expectServed();
});

test('endless headers are cut off before they fill the memory', async () => {
  const { sent, closed } = await pour(`GET /v2/domains HTTP/1.1\r\n${HEAD}`, `X-F: ${'a'.repeat(8000)}\r\n`);
  expect(closed).toBe(true);
  expect(sent).toBeLessThan(16 * 1024 * 1024);
  await expectServed();
});

test('a huge body is refused with 413 and not read completely, whatever length it announces', async () => {
  const known = `POST /v2/domains HTTP/1.1\r\n${HEAD}Content-Length: 10000000000\r\n\r\n`;
  const chunked = `POST /v2/domains HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
  for (const [head, piece] of [
    [known, ' '.repeat(65536)],
    [chunked, `10000\r\n${' '.repeat(65536)}\r\n`],
  ] as const) {
    const { sent, closed, text } = await pour(head, piece);
    expect(closed).toBe(true);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    if (text !== '') expect(text).toMatch(/^HTTP\/1\.1 413 /);
  }
  await expectServed();
});

test('clients that pipeline requests and never read do not delay others', async () => {
  const domain = await createDomain(service);
  await createRecord(service, domain, { type: 'TXT', data: 'x'.repeat(4000) });
  const request = `GET /v2/domains/${domain}/records HTTP/1.1\r\n${HEAD}\r\n`;
  const flooding = Array.from({ length: 10 }, () => {
    const socket = openSocket();
    socket.pause();
    socket.write(request.repeat(2_000));
    return socket;
  });
  for (let round = 0; round < ROUNDS_MEANWHILE; round++) await expectServed();
  expect(flooding.some(({ destroyed }) => destroyed)).toBe(false);
});

test('500 idle connections to HTTP and 200 to DNS do not affect other clients', async () => {
  const [, dnsPort] = service.dnsAddress.split(':');
  for (let i = 0; i < 500; i++) openSocket();
  for (let i = 0; i < 200; i++) openSocket(Number(dnsPort)).write(Buffer.from([0, 40, 1]));
  await new Promise((resolve) => setTimeout(resolve, 500));
  // The number of TCP connections to DNS per address is limited, and our address has used all.
  expect((await http.get('/v2/domains?per_page=1')).status).toBe(200);
  expect(await dns.look(freshDomainName(), 'A')).toBe('REFUSED');
});

test('bytes that are not a DNS message do not affect the nameserver', async () => {
  const packets = [
    Buffer.alloc(0),
    Buffer.alloc(1),
    Buffer.alloc(11),
    Buffer.alloc(12, 0xff),
    Buffer.alloc(4000, 0xc0),
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  ];
  for (const packet of packets) await dns.sendRaw(packet, 20);
  await expectServed();
});

/** Sends requests over HTTP and DNS, round after round; stop() returns the number of rounds served, or throws the error. */
function watchOthers(): { stop(): Promise<number> } {
  let rounds = 0;
  let stopped = false;
  let failure: unknown;
  const loop = async (): Promise<void> => {
    while (!stopped && failure === undefined) {
      await expectServed().catch((error: unknown) => (failure = error));
      rounds++;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const done = loop();
  onTestFinished(() => {
    stopped = true;
  });
  return {
    stop: async () => {
      stopped = true;
      await done;
      if (failure !== undefined) throw failure as Error;
      return rounds;
    },
  };
}

async function expectServed(): Promise<void> {
  expect((await http.get('/v2/domains?per_page=1')).status).toBe(200);
  expect(await dns.look(freshDomainName(), 'A')).toBe('REFUSED');
  expect(await dns.look(freshDomainName(), 'A', { tcp: true })).toBe('REFUSED');
}

/** Sends the first bytes, then one piece per second; resolves to true when the server closes the connection. */
function trickleUntilCut(first: string, piece: string): Promise<boolean> {
  const socket = openSocket();
  return new Promise((resolve) => {
    const timer = setInterval(() => piece !== '' && socket.write(piece), 1_000);
    const finish = (cut: boolean) => (): void => {
      clearInterval(timer);
      clearTimeout(limit);
      socket.destroy();
      resolve(cut);
    };
    const limit = setTimeout(finish(false), CUT_WITHIN_MS);
    socket.on('close', finish(true));
    // The end of the connection is noticed only while reading.
    socket.resume();
    socket.write(first);
  });
}

/** Writes pieces as fast as possible, until the connection ends or 128 MiB are written. */
function pour(head: string, piece: string): Promise<{ sent: number; closed: boolean; text: string }> {
  const socket = openSocket();
  return new Promise((resolve) => {
    let sent = 0;
    let text = '';
    let closed = false;
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => {
      closed = true;
      resolve({ sent, closed, text });
    });
    const writeMore = (): void => {
      while (!closed && !socket.destroyed && sent < 128 * 1024 * 1024) {
        sent += piece.length;
        if (!socket.write(piece)) return;
      }
      if (!closed && sent >= 128 * 1024 * 1024) resolve({ sent, closed, text });
    };
    socket.on('drain', writeMore);
    socket.write(head);
    writeMore();
  });
}

function sendAll(bytes: Buffer): Promise<{ text: string; closed: boolean }> {
  const socket = openSocket();
  return new Promise((resolve) => {
    let text = '';
    socket.setTimeout(30_000, () => resolve({ text, closed: false }));
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve({ text, closed: true }));
    socket.write(bytes);
  });
}

/** Opens a connection, by default to the HTTP port; it is closed at the end of the test. */
function openSocket(port = Number(service.httpAddress.split(':')[1])): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}
