import { writeFile } from 'node:fs/promises';
import type { ImportOptions } from '../../client/zone-files-client.ts';
import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import { MAX_ZONE_BODY_BYTES } from '../../contract/body-sizes.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import type { Command } from '../command-line/command.ts';
import {
  addConnectionOptions,
  addServiceOptions,
  connect,
  type ConnectionOptions,
} from '../connection/connection.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { codeOf, unwritable } from '../failures/file-failures.ts';
import { openInput, readInput } from '../input/open-input.ts';
import { complainAbout, describeCounts, hasChanges, printChanges } from '../plan/print-changes.ts';
import { escapeZoneFile } from '../terminal/escape-controls.ts';
import { printJson } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { locateEntries, locateProblems } from '../zone-text/prepare-zone-text.ts';
import type { PreparedInput } from './prepare-input.ts';
import { addPlanOptions, writeAsPlanned, type PlanOptions } from '../plan/write-as-planned.ts';

type Options = ConnectionOptions & PlanOptions & { replace?: boolean; presigned?: boolean };

/** `zonewright zonefile …`: export and import domains as zone files. */
export function declareZoneFileCommands(group: Command, terminal: Terminal): void {
  addExportCommand(group, terminal);
  addImportCommand(group, terminal);
  addDiffCommand(group, terminal);
}

function addExportCommand(group: Command, terminal: Terminal): void {
  addServiceOptions(group.command('export'))
    .description('export a domain as a zone file')
    .argument('<domain>', 'name of the domain')
    .option('--at <when>', 'the state at a serial, or at a time like 2026-11-20T14:00:00Z')
    .option('--dnssec', 'the zone as it is served, with keys, signatures and proofs (not with --at)')
    .option('--to <file>', 'write to this file, which must not exist yet (default: stdout)')
    .option('--force', 'overwrite the file')
    .examples(
      'zonewright zonefile export example.com > example.com.zone',
      'zonewright zonefile export example.com --at 1763650001 --to before.zone',
      'zonewright zonefile export example.com --dnssec --to signed.zone',
    )
    .action(async (domain: string, options: ExportOptions) => {
      const { at, dnssec } = options;
      const { text } = await connect(options, terminal).zoneFiles.get(domain, { at, dnssec });
      if (options.to !== undefined) await writeExport(options.to, text, options.force === true);
      else terminal.print(terminal.isInteractive ? escapeZoneFile(text) : text);
    });
}

type ExportOptions = ConnectionOptions & { at?: string; dnssec?: boolean; to?: string; force?: boolean };

async function writeExport(path: string, text: string, mayOverwrite: boolean): Promise<void> {
  try {
    await writeFile(path, text, { flag: mayOverwrite ? 'w' : 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw unwritable(path, error);
    throw new CommandFailure(exitCodes.usage, `${path} exists already: use another name, or --force`);
  }
}

function addImportCommand(group: Command, terminal: Terminal): void {
  addPlanOptions(addConnectionOptions(group.command('import')))
    .description(
      'import a zone file into a domain: shows a plan and asks before it changes anything; safe to repeat',
    )
    .argument('<domain>', 'name of the domain')
    .argument('<file>', 'the zone file; - is stdin')
    .option('--create', 'create the domain in the same step if it does not exist')
    .option(
      '--replace',
      'delete records that the file does not have; without it, records are only added and updated',
    )
    .option(
      '--presigned',
      'another signer has signed the zone: verify it, and serve it as it is (replaces everything)',
    )
    .examples(
      'zonewright zonefile import example.com example.com.zone',
      'zonewright zonefile import example.net example.net.zone --create --yes',
      'zonewright zonefile import example.com example.com.zone --replace --dry-run',
      'dig @192.0.2.53 example.com AXFR | zonewright zonefile import example.com - --yes',
      'zonewright zonefile import example.com example.com.zone.signed --presigned --yes',
    )
    .action(async (domain: string, file: string, options: Options) => {
      const client = connect(options, terminal);
      if (options.presigned === true) {
        const text = await readInput(file, terminal, MAX_ZONE_BODY_BYTES);
        await importText(client, terminal, domain, { text, places: undefined }, options);
        return;
      }
      const input = await openInput(file, terminal);
      try {
        const { prepareInput } = await import('./prepare-input.ts');
        const prepared = prepareInput(terminal, domain, file, input);
        await importInput(client, terminal, domain, prepared, options).catch((error: unknown) => {
          throw locateProblems(error, prepared.places);
        });
      } finally {
        input.close();
      }
    });
}

async function importInput(
  client: ZonewrightClient,
  terminal: Terminal,
  domain: string,
  input: PreparedInput,
  options: Options,
): Promise<void> {
  // Imported here because it needs the record types, which export and diff do not.
  const { countForPieces, importInPieces } = await import('./import-in-pieces.ts');
  const total = countForPieces(terminal, domain, input, options);
  if (total !== undefined) return importInPieces(client, terminal, domain, input, total, options);
  await importText(client, terminal, domain, { text: input.text(), places: input.places }, options);
}

interface ImportedText {
  readonly text: string;
  /** Undefined if the text is that of the file. */
  readonly places: PreparedInput['places'] | undefined;
}

async function importText(
  client: ZonewrightClient,
  terminal: Terminal,
  domain: string,
  { text, places }: ImportedText,
  options: Options,
): Promise<void> {
  const written = await writeAsPlanned(client, terminal, domain, options, async (write) => {
    const answer = await sendZoneFile(client, domain, text, options, write);
    return places === undefined ? answer : locateEntries(answer, places);
  });
  if (written === undefined) return;
  const { changes, set_aside, adjusted, warnings } = written;
  if (options.json === true) return printJson(terminal, { changes, set_aside, adjusted, warnings });
  if (options.yes === true) complainAbout(terminal, written);
  say(terminal, describeCounts(changes));
}

function addDiffCommand(group: Command, terminal: Terminal): void {
  addConnectionOptions(group.command('diff'))
    .description('show what import --replace would change; exits with 9 if there are differences')
    .argument('<domain>', 'name of the domain')
    .argument('<file>', 'the zone file; - is stdin')
    .examples('zonewright zonefile diff example.com example.com.zone')
    .action(async (domain: string, file: string, options: ConnectionOptions) => {
      const { prepareText } = await import('./prepare-input.ts');
      const read = await readInput(file, terminal, MAX_ZONE_BODY_BYTES);
      const { text, places } = prepareText(terminal, domain, file, read);
      const client = connect(options, terminal);
      const compared = client.zoneFiles.replace(domain, text, { dryRun: true });
      const plan = await compared.catch((error: unknown) => {
        throw locateProblems(error, places);
      });
      const { changes, set_aside, adjusted } = locateEntries(plan, places);
      if (options.json === true) printJson(terminal, { changes, set_aside, adjusted });
      else {
        printChanges(terminal, changes, options);
        complainAbout(terminal, { set_aside, adjusted, warnings: [] });
      }
      if (!hasChanges(changes)) return;
      throw new CommandFailure(
        exitCodes.different,
        `${domain} and ${file} differ: ${describeCounts(changes)}`,
      );
    });
}

function sendZoneFile(
  { zoneFiles }: ZonewrightClient,
  domain: string,
  text: string,
  { create, replace, presigned }: Options,
  write: ImportOptions,
) {
  const options = { ...write, create };
  if (presigned === true) return zoneFiles.replace(domain, text, { ...options, presigned });
  return replace === true ? zoneFiles.replace(domain, text, options) : zoneFiles.merge(domain, text, options);
}
