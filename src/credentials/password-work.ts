import { hashPassword, verifyPassword } from './password.ts';

/**
 * Passwords hashed at the same time. One keeps one of the four threads of libuv's pool busy; the others stay free for the
 * files and look-ups of the rest of the service.
 */
const AT_ONCE = 1;

/** Each takes about a quarter of a second, so that the last one in the queue waits for four. */
const MAX_WAITING = 16;

export type PasswordResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

/** Hashes passwords, a few at a time. Log-ins that come in faster are refused, and cost the service no more. */
export class PasswordWork {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** `ok` is false if too many others wait. */
  hash(password: string): Promise<PasswordResult<string>> {
    return this.run(() => hashPassword(password));
  }

  /** @param stored as for `verifyPassword` */
  verify(password: string, stored: string | undefined): Promise<PasswordResult<boolean>> {
    return this.run(() => verifyPassword(password, stored));
  }

  private async run<T>(work: () => Promise<T>): Promise<PasswordResult<T>> {
    if (this.running >= AT_ONCE) {
      if (this.waiting.length >= MAX_WAITING) return { ok: false };
      // The one that ends passes its place on.
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.running++;
    try {
      return { ok: true, value: await work() };
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running--;
      else next();
    }
  }
}
