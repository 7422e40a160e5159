// Messages between the two processes of a service, over a Unix socket in a folder that only the service's user can enter:
// one JSON text a line.
import type { Socket } from 'node:net';
import type { ListenAddress } from './config-parsers.ts';
import type { FollowerState, FormerVersion } from '../store/followed-zones.ts';

export type ToNameserver =
  /** The store holds all changes up to here: read the feed now. */
  { readonly kind: 'wake'; readonly seq: number } | { readonly kind: 'askMetrics' };

export type FromNameserver =
  /** The first message, and then one a second. */
  | { readonly kind: 'state'; readonly state: NameserverState }
  /** All changes up to here are served, but those of the zones that are served in a former version. */
  | { readonly kind: 'served'; readonly seq: number }
  /** All domains that are served in a former version, or not yet; sent before a position that they are behind. */
  | { readonly kind: 'former'; readonly zones: readonly FormerVersion[] }
  | { readonly kind: 'metrics'; readonly text: string };

export interface NameserverState extends FollowerState {
  /** The process that serves. */
  readonly pid: number;
  /** Nameserver threads, and of those the ones that answer. */
  readonly workers: number;
  readonly answering: number;
  /** The addresses at which it listens, over UDP and TCP. */
  readonly addresses: readonly ListenAddress[];
  /** See the message `former`; includes `awaited`, which is not sent itself. */
  readonly former: readonly FormerVersion[];
}

/** Metrics are the longest message: some 20 KB, with 16 threads 60 KB. A peer that sends more is cut off. */
export const MAX_LINE_CHARACTERS = 1024 * 1024;

/** Unsent octets at which a peer that does not read is cut off: a minute of messages at a thousand a second. */
const MAX_UNSENT_BYTES = 2 * 1024 * 1024;

/** The socket beside the link at which the writer of the embedded store wakes the nameserver process. */
export function wakePathOf(link: string): string {
  return `${link}-wake`;
}

/** Passes on each message; a malformed or endless line destroys the socket. */
export function readMessages(socket: Socket, onMessage: (message: unknown) => void): void {
  let unfinished = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (unfinished + chunk).split('\n');
    unfinished = lines.pop() ?? '';
    if (unfinished.length > MAX_LINE_CHARACTERS) socket.destroy();
    for (const line of lines) {
      const message = parseLine(line);
      if (message !== undefined) onMessage(message);
      else socket.destroy();
    }
  });
}

export function sendMessage(socket: Socket, message: ToNameserver | FromNameserver): void {
  if (socket.writableLength > MAX_UNSENT_BYTES) socket.destroy();
  else socket.write(`${JSON.stringify(message)}\n`);
}

function parseLine(line: string): unknown {
  try {
    return line.length > MAX_LINE_CHARACTERS ? undefined : (JSON.parse(line) as unknown);
  } catch {
    return undefined;
  }
}
