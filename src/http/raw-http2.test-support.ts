// Frames of HTTP/2 (RFC 9113) as a client may send them that keeps no rules. Headers are literals without compression.
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { onTestFinished } from 'vitest';

export const frameTypes = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

const END_STREAM = 1;
const END_HEADERS = 4;
const ACK = 1;
const MAX_FRAME_BYTES = 16_384;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

type Headers = Readonly<Record<string, string>>;

export function encodeFrame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** HEADERS, and CONTINUATION as far as needed. */
export function encodeHeaders(stream: number, headers: Headers, endsStream: boolean): Buffer {
  const block = Buffer.concat(Object.entries(headers).map(([name, value]) => encodeLiteral(name, value)));
  const frames: Buffer[] = [];
  for (let at = 0; at < block.length; at += MAX_FRAME_BYTES) {
    const isLast = at + MAX_FRAME_BYTES >= block.length;
    const type = at === 0 ? frameTypes.headers : frameTypes.continuation;
    const flags = (isLast ? END_HEADERS : 0) | (at === 0 && endsStream ? END_STREAM : 0);
    frames.push(encodeFrame(type, flags, stream, block.subarray(at, at + MAX_FRAME_BYTES)));
  }
  return Buffer.concat(frames);
}

export function encodeData(stream: number, text: string, endsStream: boolean): Buffer {
  return encodeFrame(frameTypes.data, endsStream ? END_STREAM : 0, stream, Buffer.from(text));
}

export function encodeReset(stream: number, code: number): Buffer {
  return encodeFrame(frameTypes.reset, 0, stream, encodeNumber(code));
}

/** A literal header field without indexing (RFC 7541 section 6.2.2). */
function encodeLiteral(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.of(0), encodeText(name), encodeText(value)]);
}

function encodeText(text: string): Buffer {
  const { length } = Buffer.from(text);
  const size = length < 127 ? [length] : [127, ...encodeRest(length - 127)];
  return Buffer.concat([Buffer.from(size), Buffer.from(text)]);
}

/** The rest of an integer, seven bits an octet (RFC 7541 section 5.1). */
function encodeRest(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...encodeRest(Math.floor(value / 128))];
}

/** Lets the server send more of a stream; 0: of all streams together. */
export function encodeWindowUpdate(stream: number, octets: number): Buffer {
  return encodeFrame(frameTypes.windowUpdate, 0, stream, encodeNumber(octets));
}

function encodeNumber(value: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeUInt32BE(value);
  return octets;
}

/** A connection that has sent its preface, and collects the frames that it gets. */
export interface RawHttp2Client {
  readonly socket: Socket;
  readonly frames: readonly Frame[];
  readonly closed: Promise<void>;
  send(...frames: readonly Buffer[]): void;
  /** Octets of the body of a stream that have arrived. */
  received(stream: number): number;
  /** The codes with which streams were reset, by stream. */
  resets(): Readonly<Record<number, number>>;
  /** The code with which the connection was ended; undefined: it was not. */
  endCode(): number | undefined;
}

interface RawClientOptions {
  /** The authority of TLS; absent: plain TCP. */
  readonly ca?: string;
  /** How many octets of each answer are accepted. */
  readonly initialWindow?: number;
}

/** The connection is closed at the end of the test. */
export async function openRawHttp2(port: number, options: RawClientOptions = {}): Promise<RawHttp2Client> {
  const { ca, initialWindow = 65_535 } = options;
  const target = { port, host: '127.0.0.1' };
  const socket = ca === undefined ? connectTcp(target) : connectTls({ ...target, ca, ALPNProtocols: ['h2'] });
  onTestFinished(() => void socket.destroy());
  const frames: Frame[] = [];
  let received = Buffer.alloc(0);
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('data', (data: Buffer) => {
    received = Buffer.concat([received, data]);
    while (received.length >= 9 && received.length >= 9 + received.readUIntBE(0, 3)) {
      const size = 9 + received.readUIntBE(0, 3);
      const [type, flags] = [received[3], received[4]];
      frames.push({ type, flags, stream: received.readUInt32BE(5), payload: received.subarray(9, size) });
      received = received.subarray(size);
      if (type === frameTypes.settings && (flags & ACK) === 0)
        socket.write(encodeFrame(frameTypes.settings, ACK, 0, Buffer.alloc(0)));
    }
  });
  await once(socket, ca === undefined ? 'connect' : 'secureConnect');
  const window = Buffer.concat([Buffer.of(0, 4), encodeNumber(initialWindow)]);
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(encodeFrame(frameTypes.settings, 0, 0, window));
  return {
    socket,
    frames,
    closed,
    send: (...given) => void socket.write(Buffer.concat(given)),
    received: (wanted) =>
      frames
        .filter(({ type, stream }) => type === frameTypes.data && stream === wanted)
        .reduce((sum, { payload }) => sum + payload.length, 0),
    resets: () =>
      Object.fromEntries(
        frames
          .filter(({ type }) => type === frameTypes.reset)
          .map(({ stream, payload }) => [stream, payload.readUInt32BE(0)]),
      ),
    endCode: () => frames.find(({ type }) => type === frameTypes.goAway)?.payload.readUInt32BE(4),
  };
}
