import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';

/** Takes the pieces of a long body, after the head of its answer was sent. */
export interface BodySink {
  /** Nobody receives the rest. */
  readonly isGone: boolean;
  /** Resolves when the next piece may be written, or when the client has gone; undefined: at once. */
  write(piece: string | Uint8Array): Promise<void> | undefined;
  end(): void;
  /** Ends the answer so that the client can tell that it is incomplete. */
  cutOff(): void;
}

export function createHttp1Sink(response: ServerResponse): BodySink {
  return {
    get isGone() {
      return response.destroyed;
    },
    write: (piece) => (response.write(piece) ? undefined : drained(response)),
    end: () => void response.end(),
    cutOff: () => void response.destroy(),
  };
}

/** Resolves when a stream that has returned false takes more, or is closed. */
function drained(stream: Writable): Promise<void> {
  if (stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = (): void => {
      stream.off('drain', settle);
      stream.off('close', settle);
      resolve();
    };
    stream.on('drain', settle);
    stream.on('close', settle);
  });
}
