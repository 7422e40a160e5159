import { isIPv6 } from 'node:net';
import { FairSemaphore } from '../base/fair-semaphore.ts';
import { askAnswer } from '../dns-client/ask-answer.ts';
import type { AskNameserver } from '../operations/asked-answer.ts';
import type { ListenAddress } from './config-parsers.ts';

/** The nameserver of this machine answers within a millisecond, and within some hundred while it loads a zone. */
const TIMEOUT_MS = 500;

const limits = {
  /** Each has a socket, of which a process has at least 1,024. */
  permits: 32,
  /** Two explanations, each with the question itself and one for a name below. */
  permitsPerKey: 4,
  /** As many as are answered while a client waits, if each takes ten milliseconds. */
  maxWaiting: 3200,
  /** Those of 32 explanations: more than a page or a program has in progress at a time. */
  maxWaitingPerKey: 64,
  /** With the two seconds of a silent nameserver, three: HTTP clients give up after ten or later. */
  waitMs: 1000,
};

/**
 * Asks the nameserver beside this process, as a resolver would, at the first address at which it listens. Accounts whose
 * questions wait are served in turn, so that none waits for all questions of another one.
 *
 * @param addresses of the nameserver now; empty while it is not there
 */
export function createAskNameserver(addresses: () => readonly ListenAddress[]): AskNameserver {
  const turns = new FairSemaphore(limits);
  return async (accountId, { name, type }, getSignal) => {
    const address = addresses().at(0);
    if (address === undefined) return { problem: 'the nameserver here is not running' };
    const release = await turns.acquire(accountId, getSignal);
    if (release === undefined) return { problem: TOO_MANY };
    try {
      return await askAnswer(reachable(address), name, type, { timeoutMs: TIMEOUT_MS });
    } finally {
      release();
    }
  };
}

const TOO_MANY = 'it was not asked, because other questions are in progress; ask again in some seconds';

/** An address that stands for all of a machine is no destination. */
function reachable({ host, port }: ListenAddress): ListenAddress {
  if (isIPv6(host)) return { host: /^[0:]+$/.test(host) ? '::1' : host, port };
  return { host: host === '0.0.0.0' ? '127.0.0.1' : host, port };
}
