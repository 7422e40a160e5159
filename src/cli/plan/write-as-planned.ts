import type { DryRunJson } from '../../contract/response-shapes.ts';
import { ApiError } from '../../client/api-error.ts';
import { isDryRun, type WriteOptions } from '../../client/write-options.ts';
import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import { addChangeOptions, type ChangeOptions } from './change-options.ts';
import type { Command } from '../command-line/command.ts';
import { addConfirmOption, checkAnswerable, isConfirmed, type ConfirmOptions } from './confirm.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import {
  complainAbout,
  describeCounts,
  hasChanges,
  NOTHING_TO_CHANGE,
  printChanges,
} from './print-changes.ts';
import { beside, say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeOrShow } from './write-or-show.ts';

/** With `create`, the domain need not exist. */
export type PlanOptions = ChangeOptions & ConfirmOptions & OutputOptions & { readonly create?: boolean };

export function addPlanOptions(command: Command): Command {
  return addConfirmOption(addChangeOptions(command));
}

/**
 * Shows what a write would change, asks, and writes. The write is conditional on the revision that was shown, or on
 * the domain still not existing. With `--yes`, writes without asking.
 *
 * Returns undefined if nothing was written, after printing the reason.
 */
export async function writeAsPlanned<T>(
  client: ZonewrightClient,
  terminal: Terminal,
  domain: string,
  options: PlanOptions,
  write: (options: WriteOptions) => Promise<T | DryRunJson>,
): Promise<T | undefined> {
  checkAnswerable(options, terminal);
  if (options.yes === true || options.dryRun === true) return writeOrShow(terminal, options, write);
  const condition = await findCondition(client, domain, options);
  const plan = await write({ ...condition, dryRun: true });
  if (!isDryRun(plan)) return plan;
  if (!(await isAccepted(terminal, domain, plan))) return undefined;
  return writeOrShow(terminal, { ...options, ...condition }, write);
}

async function findCondition(
  { domains }: ZonewrightClient,
  domain: string,
  { create, ifMatch, ifNoneMatch }: PlanOptions,
): Promise<Pick<WriteOptions, 'ifMatch' | 'ifNoneMatch'>> {
  if (ifMatch !== undefined) return { ifMatch, ifNoneMatch };
  try {
    return { ifMatch: await domains.revision(domain), ifNoneMatch };
  } catch (error) {
    if (create === true && error instanceof ApiError && error.status === 404) return { ifNoneMatch: '*' };
    throw error;
  }
}

async function isAccepted(terminal: Terminal, domain: string, plan: DryRunJson): Promise<boolean> {
  const { changes } = plan;
  printChanges(beside(terminal), changes, {});
  complainAbout(terminal, plan);
  if (!hasChanges(changes)) {
    say(terminal, NOTHING_TO_CHANGE);
    return false;
  }
  if (await isConfirmed(terminal, `Change ${domain}: ${describeCounts(changes)}?`)) return true;
  say(terminal, 'nothing was changed');
  return false;
}
