import type { Command } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse-whole-number.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { describeCounts } from '../plan/print-changes.ts';
import { addPlanOptions, writeAsPlanned, type PlanOptions } from '../plan/write-as-planned.ts';
import { printJson } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

type RevertOptions = ConnectionOptions & PlanOptions & { readonly to: number };

/** `zonewright revert`: return to an earlier serial of a domain. */
export function declareRevertCommand(command: Command, terminal: Terminal): void {
  addPlanOptions(addConnectionOptions(command))
    .argument('<domain>', 'name of the domain')
    .requiredOption('--to <serial>', 'the serial to return to, as shown by changes', parseWholeNumber)
    .examples(
      'zonewright revert example.com --to 1763650001 --dry-run',
      'zonewright revert example.com --to 1763650001 --note "wrong MX"',
    )
    .action(async (domain: string, options: RevertOptions) => {
      const client = connect(options, terminal);
      const written = await writeAsPlanned(client, terminal, domain, options, (write) =>
        client.domains.revert(domain, options.to, write),
      );
      if (written === undefined) return;
      if (options.json === true) printJson(terminal, { changes: written.changes });
      else say(terminal, describeCounts(written.changes));
    });
}
