import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import type { PropagationJson } from '../../contract/response-shapes.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { countOf } from '../terminal/count-of.ts';
import { say, warn } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Healthy nameservers are current within a second; a longer delay means that something is broken. */
export const DEFAULT_WAIT_SECONDS = 60;

export interface ServedWait {
  /** Undefined: the domain's serial when the wait begins. */
  readonly serial: number | undefined;
  readonly timeoutSeconds: number;
}

/**
 * Waits until all live nameservers serve a serial. Shows interactive users which nameservers are behind.
 *
 * @throws CommandFailure on timeout, after one line on stderr per nameserver that is behind
 */
export async function waitUntilServed(
  client: ZonewrightClient,
  terminal: Terminal,
  domain: string,
  wait: ServedWait,
): Promise<void> {
  requireServed(terminal, await watchPropagation(client, terminal, domain, wait), wait.timeoutSeconds);
}

/** Resolves when all live nameservers serve the serial, or on timeout. */
export function watchPropagation(
  client: ZonewrightClient,
  terminal: Terminal,
  domain: string,
  wait: ServedWait,
): Promise<PropagationJson> {
  let shown = '';
  return client.domains.waitForPropagation(domain, {
    ...wait,
    onBehind(propagation) {
      const line = `waiting: ${describeMissing(propagation).join(', ') || 'no nameserver is running'}`;
      if (terminal.isInteractive && line !== shown) say(terminal, line);
      shown = line;
    },
  });
}

/**
 * @throws CommandFailure unless all live nameservers serve it, after one line on stderr per nameserver that is behind
 */
export function requireServed(
  terminal: Terminal,
  propagation: PropagationJson,
  timeoutSeconds: number,
): void {
  if (propagation.current) return;
  for (const line of describeMissing(propagation)) warn(terminal, line);
  const { domain, serial, nameservers } = propagation;
  const problem = nameservers.some(({ live }) => live)
    ? `${domain} with serial ${serial} is not served by all nameservers`
    : 'no nameserver is running';
  throw new CommandFailure(exitCodes.timedOut, `${problem} after ${countOf(timeoutSeconds, 'second')}`);
}

/** One line per live nameserver that is behind: `ns2 still serves serial 1763650000`. */
function describeMissing({ nameservers }: PropagationJson): readonly string[] {
  return nameservers
    .filter(({ live, current }) => live && !current)
    .map(({ name, serial }) => {
      const state = serial === null ? 'does not serve the domain yet' : `still serves serial ${serial}`;
      return `${name} ${state}`;
    });
}
