import type { RecordChanges } from '../../client/record-batches.ts';
import { ApiError } from '../../client/api-error.ts';
import type { ProblemJson } from '../../contract/response-shapes.ts';
import { addLine, findBatchLines, findLine } from './batch-lines.ts';
import { MAX_BATCH_BODY_BYTES } from '../../contract/body-sizes.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { readInput } from '../input/open-input.ts';
import { complainOfWrite, describeCounts } from '../plan/print-changes.ts';
import { printJson } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addPlanOptions, writeAsPlanned, type PlanOptions } from '../plan/write-as-planned.ts';

type BatchOptions = ConnectionOptions & PlanOptions & { from: string };

/** `zonewright record batch`: many changes of one domain, all or none. */
export function addRecordBatchCommand(group: Command, terminal: Terminal): void {
  addPlanOptions(addConnectionOptions(group.command('batch')))
    .description('delete, update and create many records in one change, all or none')
    .argument('<domain>', 'name of the domain')
    .requiredOption(
      '--from <file>',
      'JSON: {"delete":[id…],"update":[{"id",…}…],"create":[{"type","name","data","ttl"}…]}; - is stdin',
    )
    .examples('zonewright record batch example.com --from changes.json')
    .action(async (domain: string, options: BatchOptions) => {
      const client = connect(options, terminal);
      const text = await readInput(options.from, terminal, MAX_BATCH_BODY_BYTES);
      const changes = parseChanges(options.from, text);
      const written = await writeAsPlanned(client, terminal, domain, options, (write) =>
        client.records.change(domain, changes, { ...write, warnings: true }).catch((error: unknown) => {
          throw placed(error, text);
        }),
      );
      if (written === undefined) return;
      const batch = { domain, sent: changes, made: written.changes, lines: findBatchLines(text) };
      complainOfWrite(terminal, written, (warning) => findLine(warning, batch));
      if (options.json === true) printJson(terminal, { changes: written.changes });
      else say(terminal, describeCounts(written.changes));
    });
}

/** Adds to the problems of a refused batch the lines of its file. */
function placed(error: unknown, text: string): unknown {
  if (!(error instanceof ApiError) || error.problems.length === 0) return error;
  const lines = findBatchLines(text);
  return error.withProblems(error.problems.map((problem) => addLine(problem as ProblemJson, lines)));
}

/** Checks only the shape; the service validates the content of the lists. */
function parseChanges(path: string, text: string): RecordChanges {
  try {
    const value: unknown = JSON.parse(text);
    const lists = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    const isBatch = lists.every(
      ([name, list]) => ['delete', 'update', 'create'].includes(name) && Array.isArray(list),
    );
    if (isBatch && lists.length > 0) return value as RecordChanges;
  } catch {
    // Reported below, like any other text.
  }
  throw new CommandFailure(
    exitCodes.usage,
    `${path} is not a JSON object with the lists delete, update and create`,
  );
}
