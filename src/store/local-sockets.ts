// Both ends of a connection between two processes of one service, over a Unix socket (on Windows a named pipe) in a folder that
// only the service's user can enter.
import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Pause between two attempts to connect: a process needs some half a second to start. */
const RECONNECT_MS = 20;

/** One for the process at the other end, and one for its predecessor that the system has not closed yet. */
const MAX_CONNECTIONS = 4;

export class LocalServer {
  private readonly server: Server;
  private readonly connected = new Set<Socket>();

  /** Resolves when it listens. A socket that a predecessor left at the path is replaced. */
  static async open(path: string, onConnection: (socket: Socket) => void): Promise<LocalServer> {
    const local = new LocalServer(onConnection);
    if (process.platform !== 'win32') rmSync(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      local.server.once('error', reject);
      local.server.listen(path, resolve);
    });
    return local;
  }

  private constructor(onConnection: (socket: Socket) => void) {
    this.server = createServer((socket) => {
      this.connected.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.connected.delete(socket));
      onConnection(socket);
    });
    this.server.maxConnections = MAX_CONNECTIONS;
  }

  get sockets(): Iterable<Socket> {
    return this.connected;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.connected) socket.destroy();
    await closed;
  }
}

export class LocalClient {
  private readonly path: string;
  private readonly onSocket: (socket: Socket) => void;
  private latest: Socket | undefined;
  private retry: NodeJS.Timeout | undefined;
  private isClosed = false;

  /**
   * Connects, and connects again until it is closed.
   *
   * @param onSocket called with each new socket, before it is connected
   */
  constructor(path: string, onSocket: (socket: Socket) => void) {
    this.path = path;
    this.onSocket = onSocket;
    this.connect();
  }

  /** The latest socket, which may not be connected. */
  get socket(): Socket | undefined {
    return this.latest;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.retry);
    this.latest?.destroy();
  }

  private connect(): void {
    const socket = connect(this.path);
    this.latest = socket;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (!this.isClosed) this.retry = setTimeout(() => this.connect(), RECONNECT_MS);
    });
    this.onSocket(socket);
  }
}
