import { crc32 } from '../../base/crc32.ts';
import type { SentCommit } from '../followed-zones.ts';
import { LocalClient } from '../local-sockets.ts';
import { encodeCommit } from './commit-message.ts';

/** Octets before a commit: what it is, its length and its checksum. */
export const COMMIT_HEADER_BYTES = 9;

/** The first octet of all that is sent: the follower reads the feed, or takes the commit that is enclosed. */
export const WAKE = 0;
export const COMMIT = 1;

const wakeFrame = Uint8Array.of(WAKE);

/**
 * Octets that the follower has not read yet, from which on it reads the feed instead: some hundred batches, after which one
 * look at the feed is faster.
 */
export const MAX_UNREAD_BYTES = 256 * 1024;

/**
 * Wakes the process that follows the feed from the thread that has committed, so that no other thread takes part, and sends
 * along with it what a small commit has changed. Nothing rests on its arrival: the follower takes a commit only if it is the
 * next one, and otherwise reads the feed, at the latest when the process that waits for it wakes it again.
 */
export class FeedWaker {
  private readonly client: LocalClient;
  private lastSeq = -1;
  /** The last thing that was sent to a follower that does not read is a wake, on which it will read everything. */
  private isWakeLast = false;

  constructor(path: string) {
    this.client = new LocalClient(path, () => undefined);
  }

  /**
   * @param seq the end of the feed; nothing is sent if it is still the same
   * @param commit what has been committed since the end of the feed before; undefined: the follower reads the feed
   */
  wake(seq: number, commit?: SentCommit): void {
    if (seq === this.lastSeq) return;
    this.lastSeq = seq;
    const { socket } = this.client;
    if (socket?.readyState !== 'open') return;
    const isBehind = socket.writableLength > MAX_UNREAD_BYTES;
    // All of this is sent after the commit: a wake that has not left yet counts for it as well.
    if (!isBehind) socket.write(frameOf(commit) ?? wakeFrame);
    else if (!this.isWakeLast) socket.write(wakeFrame);
    this.isWakeLast = isBehind;
  }

  close(): void {
    this.client.close();
  }
}

/** Returns undefined if the commit is too large, or cannot be encoded: it is committed, and a wake suffices. */
export function frameOf(commit: SentCommit | undefined): Uint8Array | undefined {
  const octets = commit && tryToEncode(commit);
  if (octets === undefined) return undefined;
  const frame = new Uint8Array(COMMIT_HEADER_BYTES + octets.length);
  const view = new DataView(frame.buffer);
  frame[0] = COMMIT;
  view.setUint32(1, octets.length);
  view.setUint32(5, crc32(octets));
  frame.set(octets, COMMIT_HEADER_BYTES);
  return frame;
}

function tryToEncode(commit: SentCommit): Uint8Array | undefined {
  try {
    return encodeCommit(commit);
  } catch {
    return undefined;
  }
}
