import { LocalClient } from '../local-sockets.ts';

const WAKE = Buffer.from([0]);

/** Wakes that the follower has not read yet: the first of them makes it read everything. */
const MAX_UNREAD_WAKES = 16;

/**
 * Wakes the process that follows the feed from the thread that has committed, so that no other thread takes part. A wake is
 * one octet. It may be lost: the follower also looks by itself, and the process that waits for it wakes it again.
 */
export class FeedWaker {
  private readonly client: LocalClient;
  private lastSeq = -1;

  constructor(path: string) {
    this.client = new LocalClient(path, () => undefined);
  }

  /** @param seq the end of the feed; nothing is sent if it is still the same */
  wake(seq: number): void {
    if (seq === this.lastSeq) return;
    this.lastSeq = seq;
    const { socket } = this.client;
    if (socket?.readyState === 'open' && socket.writableLength < MAX_UNREAD_WAKES) socket.write(WAKE);
  }

  close(): void {
    this.client.close();
  }
}
