import { connect, type Socket } from 'node:net';
import { DnsFailure } from './dns-failure.ts';
import type { ServerAddress } from './server-address.ts';

/**
 * A client connection for DNS messages over TCP (RFC 1035 section 4.2.2): two length octets, then the message. Does not
 * interpret the messages.
 */
export class TcpConnection {
  private readonly socket: Socket;

  /** @param idleMs time after which a silent peer counts as gone */
  constructor(server: ServerAddress, idleMs: number) {
    this.socket = connect(server);
    this.socket.setTimeout(idleMs, () => {
      this.socket.destroy(new DnsFailure('timeout', `it was silent for ${idleMs / 1000} seconds over TCP`));
    });
    this.socket.on('error', () => {
      // The reader or writer gets the error; unhandled, it would end the process.
    });
  }

  send(message: Uint8Array): void {
    const frame = new Uint8Array(2 + message.length);
    frame[0] = message.length >>> 8;
    frame[1] = message.length & 0xff;
    frame.set(message, 2);
    this.socket.write(frame);
  }

  /** Yields messages until the peer closes. @throws DnsFailure if the connection cannot be made or breaks */
  async *messages(): AsyncGenerator<Uint8Array, void, undefined> {
    let rest: Uint8Array = new Uint8Array(0);
    try {
      for await (const chunk of this.socket as AsyncIterable<Buffer>) {
        rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        for (let length = frameLength(rest); length <= rest.length; length = frameLength(rest)) {
          yield rest.subarray(2, length);
          rest = rest.subarray(length);
        }
      }
    } catch (error) {
      throw error instanceof DnsFailure
        ? error
        : new DnsFailure('unreachable', explain(error), { cause: error });
    }
  }

  /** @param failure the error for those who wait for a message */
  close(failure?: DnsFailure): void {
    this.socket.destroy(failure);
  }
}

/** Length of the first frame including its length octets; infinite until these have arrived. */
function frameLength(bytes: Uint8Array): number {
  return bytes.length < 2 ? Infinity : 2 + bytes[0] * 0x100 + bytes[1];
}

function explain(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return 'the TCP connection was refused';
  return `the TCP connection broke (${code ?? String(error)})`;
}
