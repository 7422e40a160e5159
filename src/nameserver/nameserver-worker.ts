import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../base/assert.ts';
import type { Answerer, CreateAnswerer } from './answerer.ts';
import { DropLog } from './drop-log.ts';
import { type ListenAddress, type BindFailure } from './nameserver-start-error.ts';
import { Responder } from './responder.ts';
import { TcpServer } from './tcp-server.ts';
import type { FromWorker, ToWorker, UdpSettings, WorkerSettings } from './worker-messages.ts';

/**
 * A nameserver thread: opens its sockets, answers until told to stop, finishes what is under way and exits by itself.
 * Sees nothing but packets and the shared memory; zones that aren't there are asked of the main thread.
 */

async function run(settings: WorkerSettings): Promise<void> {
  const drops = new DropLog((counts) => log('warn', counts, 'nameserver dropped traffic'));
  const responder = new Responder({
    answerer: await loadAnswerer(settings),
    requestLoad: (zone) => post({ kind: 'load', zone }),
    onFault: (error) => reportFault(error, drops),
    limits: settings.limits.pending,
  });
  const sockets = await openSockets(settings, responder, drops);
  if (sockets === undefined) return;
  const stop = stopOnce(sockets, responder, drops, settings.limits.supervision.drainMs);
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'loaded') responder.zoneLoaded(message.zone);
    else stop();
  });
  post({ kind: 'ready', addresses: sockets.addresses });
}

async function loadAnswerer({ answererModule, memory, reader }: WorkerSettings): Promise<Answerer> {
  const module = (await import(answererModule)) as { createAnswerer: CreateAnswerer };
  const answerer = module.createAnswerer({ memory, reader });
  // A predecessor may have fallen inside a run; this tells whoever reclaims memory that the place is free again.
  answerer.enter();
  answerer.leave();
  return answerer;
}

interface UdpSocket {
  /** Reads no more; answers to held queries may still be sent until {@link close}. */
  finish(): Promise<void>;
  close(): void;
}

interface Sockets {
  readonly udp: readonly UdpSocket[];
  readonly tcp: TcpServer;
  readonly addresses: readonly ListenAddress[];
}

/** Undefined when one can't be opened: the main thread has been told, and nothing keeps this one alive. */
async function openSockets(
  settings: WorkerSettings,
  responder: Responder,
  drops: DropLog,
): Promise<Sockets | undefined> {
  const tcp = new TcpServer(responder, settings.limits.tcp, drops);
  const udp: UdpSocket[] = [];
  const addresses: ListenAddress[] = [];
  try {
    udp.push(...(await openKoffiSockets(settings.udp, responder, drops)));
    for (const address of settings.tcp) {
      const port = await openDgramSocket(settings.udp, address, udp, responder, drops);
      await tcp.listen({ host: address.host, port }).catch(failedToBind('TCP', { host: address.host, port }));
      addresses.push({ host: address.host, port });
    }
    return { udp, tcp, addresses };
  } catch (error) {
    for (const socket of udp) socket.close();
    tcp.close();
    if (!(error instanceof BindError)) throw error;
    post({ kind: 'bind-failure', failure: error.failure });
    return undefined;
  }
}

/** Koffi is loaded only where it is used: it has no binary for every platform. */
async function openKoffiSockets(
  udp: UdpSettings,
  responder: Responder,
  drops: DropLog,
): Promise<readonly UdpSocket[]> {
  if (udp.kind !== 'koffi') return [];
  const { loadLibc } = await import('./udp-koffi-libc.ts');
  const { KoffiUdpSocket } = await import('./udp-koffi.ts');
  const libc = loadLibc();
  return udp.sockets.map((socket) => new KoffiUdpSocket(socket, libc, responder, drops));
}

/** Opens UDP on the address unless the main thread has done so; returns the port, which TCP shares. */
async function openDgramSocket(
  kind: UdpSettings,
  address: ListenAddress,
  sockets: UdpSocket[],
  responder: Responder,
  drops: DropLog,
): Promise<number> {
  if (kind.kind !== 'dgram') return address.port;
  const { DgramUdpSocket } = await import('./udp-dgram.ts');
  const opened = DgramUdpSocket.open(address, responder, drops);
  const socket = await opened.catch(failedToBind('UDP', address));
  sockets.push(socket);
  return socket.port;
}

class BindError extends Error {
  readonly failure: BindFailure;

  constructor(failure: BindFailure) {
    super(failure.code);
    this.failure = failure;
  }
}

function failedToBind(protocol: 'UDP' | 'TCP', address: ListenAddress): (error: unknown) => never {
  return (error) => {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new BindError({ code, protocol, ...address });
  };
}

/** Finishes within `drainMs`, then closes all that keeps the thread alive. */
function stopOnce(sockets: Sockets, responder: Responder, drops: DropLog, drainMs: number): () => void {
  const close = (): void => {
    for (const socket of sockets.udp) socket.close();
    sockets.tcp.close();
    drops.flush();
    port.close();
  };
  // Whatever ends this thread: poll handles must be closed before the event loop is torn down.
  process.on('exit', close);
  let stopping = false;
  return () => {
    if (stopping) return;
    stopping = true;
    const deadline = setTimeout(close, drainMs);
    void (async () => {
      await Promise.all(sockets.udp.map((socket) => socket.finish()));
      await Promise.all([sockets.tcp.finish(), responder.whenSettled()]);
      clearTimeout(deadline);
      close();
    })();
  };
}

/** One line for a fault, then only counts: a packet that finds a fault comes in thousands. */
function reportFault(error: unknown, drops: DropLog): void {
  drops.count('queries answered SERVFAIL because of a fault in the answer path');
  if (faultsReported++ < FAULTS_REPORTED)
    log('error', { error: error instanceof Error ? error.stack : String(error) }, 'answering a query failed');
}

/** Each with its stack; enough to tell two faults apart. */
const FAULTS_REPORTED = 10;
let faultsReported = 0;

function log(level: 'info' | 'warn' | 'error', fields: object, message: string): void {
  post({ kind: 'log', level, fields, message });
}

function post(message: FromWorker): void {
  port.postMessage(message);
}

assert(parentPort !== null, 'nameserver-worker runs as a worker thread');
const port = parentPort;
await run(workerData as WorkerSettings);
