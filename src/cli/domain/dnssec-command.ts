import { Option } from 'commander';
import type { DomainsClient } from '../../client/domains-client.ts';
import type { DomainJson } from '../../contract/response-shapes.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { listNames } from '../names/list-names.ts';
import { addChangeOptions, type ChangeOptions } from '../plan/change-options.ts';
import { writeOrShow } from '../plan/write-or-show.ts';
import { findDsData } from '../signing/describe-signed-here.ts';
import { printList, type Columns } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

type DnssecOptions = ConnectionOptions &
  ChangeOptions & { readonly set?: DomainJson['dns_sec']; readonly force?: true };

const columns: Columns<string> = { record: (record) => record };

/** `zonewright domain dnssec`: whether a domain is signed, and what the parent zone needs for it. */
export function addDnssecCommand(group: Command, terminal: Terminal): void {
  addChangeOptions(addConnectionOptions(group.command('dnssec')))
    .description('show the DNSKEY and DS records, or turn signing on or off')
    .argument('<domain>', 'name of the domain')
    .addOption(new Option('--set <state>', 'turn signing on or off').choices(['enabled', 'disabled']))
    .option('--force', 'turn it off at once: only when the DS records are gone and forgotten')
    .examples(
      'zonewright domain dnssec example.com',
      'zonewright domain dnssec example.com --set enabled',
      'zonewright domain dnssec example.com --set disabled --force',
    )
    .action(async (domain: string, options: DnssecOptions) => {
      const { set: state, force } = options;
      if (force === true && state !== 'disabled')
        throw new CommandFailure(exitCodes.usage, '--force is only for --set disabled');
      const { domains } = connect(options, terminal);
      if (state !== undefined) {
        const set = await writeOrShow(terminal, options, (write) =>
          domains.setDnssec(domain, state, { ...write, force }),
        );
        if (set === undefined) return;
      }
      const records = await domains.dnssec(domain);
      await printList(terminal, columns, records, options);
      if (state === 'enabled') sayNextStep(terminal, domain, records);
    });
}

/** Says what to do with the DS record of a domain that has just been created. */
export async function showNextStep(
  terminal: Terminal,
  domains: DomainsClient,
  domain: string,
): Promise<void> {
  sayNextStep(terminal, domain, await domains.dnssec(domain));
}

/** Resolvers may have unsigned answers in their caches for as long as these live (RFC 6781 section 4.1.1). */
function sayNextStep(terminal: Terminal, domain: string, records: readonly string[]): void {
  const wanted = findDsData(records);
  if (wanted.length === 0) return;
  say(
    terminal,
    `${domain} is signed. Next step: when all nameservers serve it (zonewright domain wait ${domain}) and the longest TTL ` +
      `of the zone has passed, give the registrar the DS record ${listNames(wanted)}; then run zonewright check ${domain}`,
  );
}
