import { FairSemaphore } from '../base/fair-semaphore.ts';
import { hashPassword, verifyPassword } from './password.ts';

/**
 * Passwords hashed at the same time. One keeps one of the four threads of libuv's pool busy; the others stay free for the
 * files and look-ups of the rest of the service.
 */
const AT_ONCE = 1;

/** Each takes about a quarter of a second, so that the last one in the queue waits for four. */
const MAX_WAITING = 16;

/** The people of an office; a client that sends more leaves room for those of other networks. */
const MAX_WAITING_PER_CLIENT = 4;

/** Longer than the queue takes on a busy machine. */
const WAIT_MS = 15_000;

export type PasswordResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

/** Hashes passwords, one at a time, and of clients in turn. Log-ins that come in faster are refused, and cost no more. */
export class PasswordWork {
  private readonly places = new FairSemaphore({
    permits: AT_ONCE,
    permitsPerKey: AT_ONCE,
    maxWaiting: MAX_WAITING,
    maxWaitingPerKey: MAX_WAITING_PER_CLIENT,
    waitMs: WAIT_MS,
  });

  /**
   * `ok` is false if too many others wait.
   *
   * @param client a network or a user; they take turns
   */
  hash(password: string, client: string): Promise<PasswordResult<string>> {
    return this.run(client, () => hashPassword(password));
  }

  /** @param stored as for `verifyPassword` */
  verify(password: string, stored: string | undefined, client: string): Promise<PasswordResult<boolean>> {
    return this.run(client, () => verifyPassword(password, stored));
  }

  private async run<T>(client: string, work: () => Promise<T>): Promise<PasswordResult<T>> {
    const release = await this.places.acquire(client);
    if (release === undefined) return { ok: false };
    try {
      return { ok: true, value: await work() };
    } finally {
      release();
    }
  }
}
