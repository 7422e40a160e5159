import { isIPv6 } from 'node:net';
import { askAnswer } from '../dns-client/ask-answer.ts';
import type { AskNameserver } from '../operations/asked-answer.ts';
import type { ListenAddress } from './config-parsers.ts';

/** The nameserver of this machine answers within a millisecond, and within some hundred while it loads a zone. */
const TIMEOUT_MS = 500;

/**
 * Asks the nameserver beside this process, as a resolver would, at the first address at which it listens.
 *
 * @param addresses of the nameserver now; empty while it is not there
 */
export function createAskNameserver(addresses: () => readonly ListenAddress[]): AskNameserver {
  return (name, type) => {
    const address = addresses().at(0);
    if (address === undefined) return Promise.resolve({ problem: 'the nameserver here is not running' });
    return askAnswer(reachable(address), name, type, { timeoutMs: TIMEOUT_MS });
  };
}

/** An address that stands for all of a machine is no destination. */
function reachable({ host, port }: ListenAddress): ListenAddress {
  if (isIPv6(host)) return { host: /^[0:]+$/.test(host) ? '::1' : host, port };
  return { host: host === '0.0.0.0' ? '127.0.0.1' : host, port };
}
