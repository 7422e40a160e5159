import type { Socket } from 'node:net';
import { crc32 } from '../../base/crc32.ts';
import type { FollowedZones, SentCommit } from '../followed-zones.ts';
import { decodeCommit, MAX_COMMIT_BYTES } from './commit-message.ts';
import { COMMIT, COMMIT_HEADER_BYTES, WAKE } from './feed-waker.ts';

/**
 * Reads what a `FeedWaker` sends. Damaged or unknown octets make the zones read the feed, and end the connection, since
 * nobody knows where the next message begins; the other end connects again.
 */
export function readWakes(socket: Socket, zones: Pick<FollowedZones, 'wake'>): void {
  let unread: Uint8Array | undefined;
  socket.on('data', (chunk: Buffer) => {
    const octets = unread === undefined ? chunk : Buffer.concat([unread, chunk]);
    const { commits, end, isWoken, isDamaged } = readAll(octets);
    unread = end < octets.length ? octets.subarray(end) : undefined;
    if (isDamaged) socket.destroy();
    if (commits.length > 0) zones.wake(commits);
    if (isWoken || isDamaged) zones.wake();
  });
}

function readAll(octets: Buffer) {
  const commits: SentCommit[] = [];
  let isWoken = false;
  let end = 0;
  while (end < octets.length) {
    if (octets[end] === WAKE) {
      isWoken = true;
      end++;
      continue;
    }
    const read = readCommit(octets, end);
    if (read === 'damaged') return { commits, end, isWoken, isDamaged: true };
    if (read === 'incomplete') break;
    commits.push(read.commit);
    ({ end } = read);
  }
  return { commits, end, isWoken, isDamaged: false };
}

type Read = 'incomplete' | 'damaged' | { readonly commit: SentCommit; readonly end: number };

function readCommit(octets: Buffer, start: number): Read {
  if (octets[start] !== COMMIT) return 'damaged';
  const begin = start + COMMIT_HEADER_BYTES;
  if (octets.length < begin) return 'incomplete';
  const length = octets.readUInt32BE(start + 1);
  if (length > MAX_COMMIT_BYTES) return 'damaged';
  const end = begin + length;
  if (octets.length < end) return 'incomplete';
  // Not a `Buffer`, of which `slice()` is no copy.
  const body = new Uint8Array(octets.buffer, octets.byteOffset + begin, length);
  const commit = crc32(body) === octets.readUInt32BE(start + 5) ? decodeCommit(body) : undefined;
  return commit === undefined ? 'damaged' : { commit, end };
}
