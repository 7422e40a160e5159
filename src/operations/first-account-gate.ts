import { StoreUnavailable } from '../writes/store-errors.ts';

/** Creating the account takes milliseconds once the store and the nameserver process are there. */
const WAIT_MS = 5_000;

/**
 * Holds requests with an unknown key until it is certain that the store has its first account: the key may be the one
 * that this account is about to get. A new gate is closed.
 */
export class FirstAccountGate {
  private readonly opened: Promise<void>;
  private resolve: () => void = () => undefined;
  private isOpen = false;

  constructor() {
    this.opened = new Promise((resolve) => (this.resolve = resolve));
  }

  open(): void {
    this.isOpen = true;
    this.resolve();
  }

  /**
   * Returns true if the caller had to wait, and should look for the key again.
   *
   * @throws StoreUnavailable if the account is not there after `WAIT_MS`
   */
  async wait(waitMs = WAIT_MS): Promise<boolean> {
    if (this.isOpen) return false;
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<never>((_, reject) => {
      const error = new StoreUnavailable('the first account has not been created yet');
      timer = setTimeout(() => reject(error), waitMs);
    });
    try {
      await Promise.race([this.opened, overdue]);
    } finally {
      clearTimeout(timer);
    }
    return true;
  }
}
