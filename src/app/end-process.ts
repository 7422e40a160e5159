import type { Log } from '../base/log.ts';

/**
 * Ends the process if a nameserver thread can neither answer nor be replaced: otherwise a share of all queries would go
 * unanswered for as long as the process lives. A supervisor is expected to restart it; the store survives interruption.
 * Uses a signal, because an exit would wait for a thread that cannot be terminated.
 */
export function endProcess(reason: string, log: Log): void {
  log.error({ reason }, 'nameserver thread cannot be recovered; exiting');
  process.kill(process.pid, 'SIGKILL');
}
