/** How often a child process says that its event loop turns, and how often its parent looks. */
export const SIGN_OF_LIFE_MS = 1000;

/**
 * Looks in a row that found no sign: half a minute. Pauses that pass by themselves (a collection of garbage, a processor that
 * others keep busy, a slow disk) take seconds. Looks are counted and not seconds: after the machine was suspended, there is
 * one late look, and then the signs that have arrived are read.
 */
export const SILENT_LOOKS = 30;

/** Notices that a process hangs, or was stopped and forgotten. */
export class SilenceWatch {
  private readonly timer: NodeJS.Timeout;
  private looks = 0;

  /** @param onSilent called once */
  constructor(onSilent: () => void) {
    this.timer = setInterval(() => {
      if (++this.looks < SILENT_LOOKS) return;
      this.stop();
      onSilent();
    }, SIGN_OF_LIFE_MS);
  }

  /** Called with each sign of life. */
  heard(): void {
    this.looks = 0;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
