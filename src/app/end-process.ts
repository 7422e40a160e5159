import type { Log } from '../base/log.ts';

/**
 * For where a nameserver thread can neither answer nor be replaced. A share of all queries would go unanswered for as long
 * as the process lives, so a supervisor is to start it again; the store is safe against being broken off. By a signal,
 * because an exit would wait for a thread that cannot be ended.
 */
export function endProcess(reason: string, log: Log): void {
  log.error({ reason }, 'DNS cannot be answered any more as it should be: the process ends');
  process.kill(process.pid, 'SIGKILL');
}
