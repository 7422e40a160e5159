import { Argument } from 'commander';
import type { DomainsClient } from '../../client/domains-client.ts';
import type { Command } from '../command-line/command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../connection/connection.ts';
import { addDnssecKeyCommands } from './dnssec-key-commands.ts';
import { addDnssecHoldCommands } from './dnssec-hold-commands.ts';
import { addDnssecPublishCommand } from './dnssec-publish-command.ts';
import { addDnssecRolloverCommands } from './dnssec-rollover-commands.ts';
import { addDnssecStatusCommand } from './dnssec-status-command.ts';
import { listNames } from '../names/list-names.ts';
import { addChangeOptions, type ChangeOptions } from '../plan/change-options.ts';
import { writeOrShow } from '../plan/write-or-show.ts';
import { findDsData } from '../signing/describe-signed-here.ts';
import { printList, type Columns } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Options = ConnectionOptions & ChangeOptions;

const columns: Columns<string> = { record: (record) => record };

/** `zonewright domain dnssec …`: whether a domain is signed, and what its parent zone needs. */
export function addDnssecCommands(group: Command, terminal: Terminal): void {
  const dnssec = group.command('dnssec').description('sign a domain, and show its DNSKEY and DS records');

  addConnectionOptions(dnssec.command('show'))
    .description('show the DNSKEY and DS records; nothing if the domain is not signed')
    .argument('<domain>', 'name of the domain')
    .examples('zonewright domain dnssec show example.com')
    .action(async (domain: string, options: ConnectionOptions) => {
      const { domains } = connect(options, terminal);
      await printList(terminal, columns, await domains.dnssec(domain), options);
    });

  addDnssecStatusCommand(dnssec, terminal);

  addChangeOptions(addConnectionOptions(dnssec.command('on')))
    .description('sign a domain, show its records, and say the next step; safe to repeat')
    .argument('<domain>', 'name of the domain')
    .examples('zonewright domain dnssec on example.com')
    .action(async (domain: string, options: Options) => {
      const { domains } = connect(options, terminal);
      const set = await writeOrShow(terminal, options, (write) =>
        domains.setDnssec(domain, 'enabled', write),
      );
      if (set === undefined) return;
      const records = await domains.dnssec(domain);
      await printList(terminal, columns, records, options);
      if (records.length === 0) sayInProgress(terminal, domain);
      else sayNextStep(terminal, domain, records);
    });

  addChangeOptions(addConnectionOptions(dnssec.command('off')))
    .description('stop signing a domain, as soon as its DS record is gone from the parent zone')
    .argument('<domain>', 'name of the domain')
    .option('--force', 'stop at once, although resolvers may still expect signatures')
    .examples('zonewright domain dnssec off example.com', 'zonewright domain dnssec off example.com --force')
    .action(async (domain: string, { force, ...options }: Options & { force?: true }) => {
      const { domains } = connect(options, terminal);
      const set = await writeOrShow(terminal, options, (write) =>
        domains.setDnssec(domain, 'disabled', { ...write, force }),
      );
      if (set === undefined || force === true) return;
      if ((await domains.dnssec(domain)).length > 0) sayWithdrawal(terminal, domain);
    });

  addChangeOptions(addConnectionOptions(dnssec.command('denial')))
    .description('change how a signed domain proves that a name does not exist')
    .argument('<domain>', 'name of the signed domain')
    .addArgument(new Argument('<kind>', 'the kind of the chain').choices(['nsec', 'nsec3']))
    .examples('zonewright domain dnssec denial example.com nsec3')
    .action(async (domain: string, kind: 'nsec' | 'nsec3', options: ConnectionOptions & ChangeOptions) => {
      const { domains } = connect(options, terminal);
      await writeOrShow(terminal, options, (write) => domains.setDenial(domain, kind, write));
    });

  addDnssecRolloverCommands(dnssec, terminal);

  addDnssecHoldCommands(dnssec, terminal);

  addDnssecKeyCommands(dnssec, terminal);

  addDnssecPublishCommand(dnssec, terminal);
}

/** A large domain has no records of keys until it is signed. */
function sayInProgress(terminal: Terminal, domain: string): void {
  say(
    terminal,
    `${domain} is being signed, which takes some minutes in a large domain. Next step: zonewright domain dnssec status ${domain} ` +
      `says how far it is, and then which DS record to give the registrar`,
  );
}

function sayWithdrawal(terminal: Terminal, domain: string): void {
  say(
    terminal,
    `${domain} stays signed until its DS record is gone from the parent zone and its TTL has passed. Next step: have the DS ` +
      `record removed at the registrar; zonewright domain dnssec status ${domain} says which servers still have it`,
  );
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
      `of the zone has passed, give the registrar the DS record ${listNames(wanted)}; zonewright domain dnssec status ${domain} says when it has arrived`,
  );
}
