import type { ZonewrightClient } from '../client/zonewright-client.ts';
import type { PropagationJson } from '../contract/response-shapes.ts';
import { CommandFailure } from './command-failure.ts';
import { exitCodes } from './exit-codes.ts';
import { escapeControls } from './format-table.ts';
import type { Terminal } from './terminal.ts';

/** Nameservers are current well within a second, or something is broken that a person has to see. */
export const DEFAULT_WAIT_SECONDS = 60;

/**
 * Waits until all live nameservers serve a serial. A person sees meanwhile who is behind.
 *
 * @throws CommandFailure when the time is up, after a line on stderr for each nameserver that is behind.
 */
export async function waitUntilServed(
  client: ZonewrightClient,
  terminal: Terminal,
  domain: string,
  { serial, timeoutSeconds }: { readonly serial: number | undefined; readonly timeoutSeconds: number },
): Promise<PropagationJson> {
  let shown = '';
  const propagation = await client.domains.waitForPropagation(domain, {
    serial,
    timeoutSeconds,
    onBehind(behind) {
      const line = `waiting: ${missing(behind).join(', ') || 'no nameserver is running'}\n`;
      if (terminal.isInteractive && line !== shown) terminal.complain(line);
      shown = line;
    },
  });
  if (propagation.current) return propagation;
  for (const line of missing(propagation)) terminal.complain(`zonewright: ${line}\n`);
  throw new CommandFailure(exitCodes.timedOut, describeTimeout(propagation, timeoutSeconds));
}

/** `ns2 still serves serial 1763650000`: each live nameserver that is behind. */
function missing({ nameservers }: PropagationJson): readonly string[] {
  return nameservers
    .filter(({ live, current }) => live && !current)
    .map(({ name, serial }) => {
      const state = serial === null ? 'does not serve the domain yet' : `still serves serial ${serial}`;
      return escapeControls(`${name} ${state}`);
    });
}

function describeTimeout({ domain, serial, nameservers }: PropagationJson, timeoutSeconds: number): string {
  const after = `after ${timeoutSeconds} seconds`;
  if (!nameservers.some(({ live }) => live)) return `no nameserver is running ${after}`;
  return `${domain} with serial ${serial} is not served by all nameservers ${after}`;
}
