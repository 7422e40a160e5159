import type { SoaJson } from '../../contract/response-shapes.ts';
import { addChangeOptions, type ChangeOptions } from '../plan/change-options.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { printOne, type Columns } from '../terminal/print-list.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeOrShow } from '../plan/write-or-show.ts';

const soaColumns: Columns<SoaJson> = {
  primary: (soa) => soa.nsprimary,
  email: (soa) => soa.email,
};

type Options = ConnectionOptions & ChangeOptions;
type SoaOptions = Options & { primary?: string; email?: string };

/** `zonewright domain soa`: settings of a domain besides its records. */
export function addDomainSettingCommands(group: Command, terminal: Terminal): void {
  addChangeOptions(addConnectionOptions(group.command('soa')))
    .description('show or set the primary nameserver and email address of the SOA record')
    .argument('<domain>', 'name of the domain')
    .option('--primary <name>', 'set the primary nameserver')
    .option('--email <address>', 'set the email address of the responsible person')
    .examples(
      'zonewright domain soa example.com',
      'zonewright domain soa example.com --email hostmaster@example.com',
    )
    .action(async (domain: string, options: SoaOptions) => {
      const { domains } = connect(options, terminal);
      const { primary: nsprimary, email } = options;
      if (nsprimary !== undefined || email !== undefined) {
        const set = await writeOrShow(terminal, options, (write) =>
          domains.updateSoa(domain, { nsprimary, email }, write),
        );
        if (set === undefined) return;
      }
      printOne(terminal, soaColumns, await domains.soa(domain), options);
    });
}
