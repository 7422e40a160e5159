import { isDryRun, type WriteOptions } from '../../client/write-options.ts';
import type { DryRunJson } from '../../contract/response-shapes.ts';
import { writeOptionsOf, type ChangeOptions } from './change-options.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printDryRun } from './print-changes.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Writes to a domain, or prints the changes with `--dry-run`. Returns undefined if nothing was written. */
export async function writeOrShow<T>(
  terminal: Terminal,
  options: ChangeOptions & OutputOptions,
  write: (options: WriteOptions) => Promise<T | DryRunJson>,
): Promise<T | undefined> {
  const written = await write(writeOptionsOf(options));
  if (!isDryRun(written)) return written;
  printDryRun(terminal, written, options);
  return undefined;
}
