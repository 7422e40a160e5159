import type { Command } from 'commander';
import type { RecordType } from '../dns/record-type.ts';
import { addOutputOptions, type OutputOptions } from './output-options.ts';
import { printJson, printList, type Columns } from './print-list.ts';
import type { Terminal } from './terminal.ts';

const columns: Columns<RecordType> = {
  type: (type) => type.mnemonic,
  use: (type) => type.help,
  reference: (type) => type.reference,
  example: (type) => type.example,
};

/** `zonewright record types`: what can be written, from the declarations that the server itself works with. */
export function addRecordTypesCommand(group: Command, terminal: Terminal): void {
  addOutputOptions(group.command('types'))
    .description('list the record types, what they are for and how their data is written')
    .addHelpText('after', '\nExample:\n  $ zonewright record types')
    .action(async (options: OutputOptions) => {
      // Loaded only here: the other commands start without all the types.
      const { recordTypes } = await import('../dns/record-type-registry.ts');
      const writable = recordTypes.filter((type) => type.serviceOwned !== true);
      if (options.json !== true) return printList(terminal, columns, writable, options);
      printJson(terminal, writable.map(describe));
    });
}

function describe({ number, mnemonic, help, reference, example }: RecordType): object {
  return { type: mnemonic, number, help, reference, example };
}
