import type { Command } from '../command-line/command.ts';
import { addOutputOptions, type OutputOptions } from '../terminal/output-options.ts';
import { printList, type Columns } from '../terminal/print-list.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface ListedType {
  readonly type: string;
  readonly number: number;
  readonly help: string;
  readonly reference: string;
  readonly example: string;
}

const columns: Columns<ListedType> = {
  type: ({ type }) => type,
  use: ({ help }) => help,
  reference: ({ reference }) => reference,
  example: ({ example }) => example,
};

/** `zonewright record types`: the types that can be written, from the same declarations that the server uses. */
export function addRecordTypesCommand(group: Command, terminal: Terminal): void {
  addOutputOptions(group.command('types'))
    .description('list the record types with their purpose and data format')
    .examples('zonewright record types')
    .action(async (options: OutputOptions) => {
      // Imported here so that other commands start without the record types.
      const { recordTypes } = await import('../../dns/rdata/record-type-registry.ts');
      const rows = recordTypes
        .filter((type) => type.serviceOwned !== true)
        .map(({ mnemonic: type, number, help, reference, example }) => {
          return { type, number, help, reference, example };
        });
      await printList(terminal, columns, rows, options);
    });
}
