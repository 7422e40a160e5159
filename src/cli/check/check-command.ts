import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { warningColumns } from '../plan/print-changes.ts';
import { describeSignedHere, findDsData, isChangingKeys } from '../signing/describe-signed-here.ts';
import { describeParentOnly } from '../signing/describe-signing.ts';
import type { ParentView } from '../signing/parent-view.ts';
import { addResolverOption, type ResolverOptions } from '../signing/resolver-option.ts';
import { countOf } from '../terminal/count-of.ts';
import { printList } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `zonewright check`: likely mistakes in a domain. */
export function declareCheckCommand(command: Command, terminal: Terminal): void {
  addResolverOption(addConnectionOptions(command))
    .argument('<domain>', 'name of the domain')
    .examples('zonewright check example.com')
    .action(async (domain: string, options: ConnectionOptions & ResolverOptions) => {
      const { domains } = connect(options, terminal);
      const warnings = await domains.check(domain);
      if (warnings.length > 0 || options.json === true)
        await printList(terminal, warningColumns, warnings, options);
      const { createAskParent } = await import('../signing/parent-ds.ts');
      const parent = await createAskParent(options, terminal)(domain, true);
      const signing =
        parent === undefined ? undefined : describeSigning(domain, await domains.dnssec(domain), parent);
      if (signing !== undefined) say(terminal, `${domain}: ${signing}`);
      const errors = warnings.filter(({ severity }) => severity === 'error').length;
      if (errors === 0) return;
      throw new CommandFailure(exitCodes.problems, `${domain} has ${countOf(errors, 'error')}`);
    });
}

/** @param lines those of the service about a signed domain */
function describeSigning(domain: string, lines: readonly string[], parent: ParentView): string | undefined {
  if (isChangingKeys(lines)) {
    return `its key is being exchanged, or signing is being withdrawn: zonewright domain dnssec status ${domain} says the next step`;
  }
  const wanted = findDsData(lines);
  return wanted.length === 0 ? describeParentOnly(domain, parent) : describeSignedHere(wanted, parent);
}
