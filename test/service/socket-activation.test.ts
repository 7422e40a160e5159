import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createDomain } from '../harness/fixtures.ts';
import { freePort } from '../harness/free-port.ts';
import type { HandedSocket } from '../harness/program.ts';
import { makeDataFolder, settingsFor, startProgram, startService } from '../harness/service.ts';
import { makeTlsFiles } from '../harness/tls-files.ts';

/*
 * The service on sockets bound by its supervisor (sd_listen_fds(3)). The test is the supervisor: it binds, starts the
 * service with the sockets, and closes its own descriptors.
 */

/** No machine has an address in 192.0.2.0/24, so a service that opens a port there cannot start. */
const elsewhere = {
  ZONEWRIGHT_HTTP: '192.0.2.1:80',
  ZONEWRIGHT_HTTPS: '192.0.2.1:443',
  ZONEWRIGHT_DNS: '192.0.2.1:53',
};

interface Bound {
  readonly descriptor: number;
  readonly port: number;
  /** May be called repeatedly. */
  readonly close: () => void;
}

async function bindTcp(port = 0): Promise<Bound> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { _handle } = server as unknown as { _handle: { fd: number } };
  return {
    descriptor: _handle.fd,
    port: (server.address() as { port: number }).port,
    close: onlyOnce(() => server.close()),
  };
}

async function bindUdp(port: number): Promise<Bound> {
  const socket = createSocket('udp4').bind(port, '127.0.0.1');
  await once(socket, 'listening');
  const [handle] = Object.getOwnPropertySymbols(socket)
    .map((symbol) => (socket as unknown as Record<symbol, { handle?: { fd: number } }>)[symbol])
    .filter((state) => state.handle !== undefined);
  return { descriptor: handle.handle?.fd ?? -1, port, close: onlyOnce(() => socket.close()) };
}

function onlyOnce(close: () => unknown): () => void {
  let isOpen = true;
  return () => {
    if (isOpen) close();
    isOpen = false;
  };
}

/** UDP and TCP on one port. */
async function bindDns(): Promise<readonly [udp: Bound, tcp: Bound]> {
  const port = await freePort();
  return [await bindUdp(port), await bindTcp(port)];
}

function handOver(...sockets: readonly (readonly [name: string, bound: Bound])[]): HandedSocket[] {
  onTestFinished(() => {
    for (const [, bound] of sockets) bound.close();
  });
  return sockets.map(([name, { descriptor }]) => ({ name, descriptor }));
}

test.each(['1', '2'])('HTTP, HTTPS and DNS are served on the sockets, by %s workers', async (workers) => {
  const [udp, tcp] = await bindDns();
  const [http, https] = [await bindTcp(), await bindTcp()];
  const sockets = handOver(['dns', udp], ['http', http], ['https', https], ['dns', tcp]);
  const settings = { ...elsewhere, ...makeTlsFiles().settings, ZONEWRIGHT_WORKERS: workers };
  const service = await startService({ sockets, settings });
  for (const bound of [udp, tcp, http, https]) bound.close();
  expect([service.httpAddress, service.httpsAddress, service.dnsAddress]).toEqual([
    `127.0.0.1:${http.port}`,
    `127.0.0.1:${https.port}`,
    `127.0.0.1:${tcp.port}`,
  ]);
  const domain = await createDomain(service, undefined, '192.0.2.7');
  for (let i = 0; i < 20; i++) expect(await service.dns.look(domain, 'A')).toEqual(['192.0.2.7']);
  expect((await service.dns.ask(domain, 'A', { tcp: true })).answers).toHaveLength(1);
  expect(await service.stop()).toBe(0);
});

test('if the supervisor binds only one of the two, the configuration applies to the other', async () => {
  const http = await bindTcp();
  const service = await startService({
    sockets: handOver(['http', http]),
    settings: { ZONEWRIGHT_HTTP: elsewhere.ZONEWRIGHT_HTTP },
  });
  http.close();
  expect(service.httpAddress).toBe(`127.0.0.1:${http.port}`);
  await createDomain(service);
  expect(await service.stop()).toBe(0);
});

test.each([
  [['http'], [], /^zonewright: HTTP cannot listen on descriptor 3: it is not an? (unused|TCP) socket/],
  [['dns'], [], /^zonewright: DNS needs a TCP socket as well, but was handed none$/],
  [
    ['zonewright.socket'],
    [],
    /^zonewright: a socket named "zonewright\.socket" is handed over, but only http/,
  ],
  [[], ['https'], /^zonewright: a socket named https is handed over, but https is not set$/],
  [['dns'], ['http', 'http'], /^zonewright: 2 sockets named http are handed over, but HTTP takes one$/],
])('UDP sockets named %j and TCP sockets named %j are refused', async (udpNames, tcpNames, sentence) => {
  const [udp, tcp] = await bindDns();
  const sockets = handOver(
    ...udpNames.map((name) => [name, udp] as const),
    ...tcpNames.map((name) => [name, tcp] as const),
  );
  const program = startProgram(['serve'], settingsFor(makeDataFolder()), sockets);
  expect(await program.ended()).toBe(1);
  const said = program.stderr().split('\n');
  expect(said.filter((line) => line !== '' && !line.startsWith('{'))).toEqual([
    expect.stringMatching(sentence),
  ]);
});
