import { CommandFailure } from '../cli/failures/command-failure.ts';
import type { Command } from '../cli/command-line/command.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import { printJson, printTable, type Columns } from '../cli/terminal/print-list.ts';
import type { Terminal } from '../cli/terminal/terminal.ts';
import { parseStorePlace, type StorePlace } from '../migration/store-place.ts';
import type { MigrationResult } from './run-migration.ts';
import { addStoreOptions, loadStoreConfig, placeOf, type StoreOptions } from './store-options.ts';

/*
 * `zonewright backup`, `restore` and `move`: each copies and checks the whole content of a store, or changes nothing.
 */

export function declareBackup(command: Command, terminal: Terminal): void {
  addStoreOptions(command)
    .requiredOption('--to <file>', 'the file to create; must not exist')
    .option('--json', 'print JSON')
    .examples('zonewright backup --data /var/lib/zonewright --to /backup/2026-11-20.db')
    .action(async (options: StoreOptions & { to: string; json?: true }) => {
      const { runBackup } = await import('./run-migration.ts');
      report(await runBackup(configuredPlace(options, terminal), options.to, terminal), options, terminal);
    });
}

export function declareRestore(command: Command, terminal: Terminal): void {
  addStoreOptions(command)
    .requiredOption('--from <file>', 'a file written by zonewright backup')
    .option('--json', 'print JSON')
    .examples('zonewright restore --from /backup/2026-11-20.db --data /var/lib/zonewright')
    .action(async (options: StoreOptions & { from: string; json?: true }) => {
      const { runRestore } = await import('./run-migration.ts');
      report(await runRestore(options.from, configuredPlace(options, terminal), terminal), options, terminal);
    });
}

export function declareMove(command: Command, terminal: Terminal): void {
  command
    .requiredOption('--from <store>', 'sqlite:<data folder> or postgres://<user>@<host>/<database>')
    .requiredOption('--to <store>', 'an empty store, in the same form')
    .option('--json', 'print JSON')
    .examples('zonewright move --from sqlite:./data --to postgres://zonewright@db.example.net/zonewright')
    .action(async (options: { from: string; to: string; json?: true }) => {
      const from = namedPlace('--from', options.from);
      const to = namedPlace('--to', options.to);
      const { runMove } = await import('./run-migration.ts');
      report(await runMove(from, to, terminal), options, terminal);
    });
}

function configuredPlace(options: StoreOptions, terminal: Terminal): StorePlace {
  return placeOf(loadStoreConfig(options, terminal));
}

function namedPlace(option: string, text: string): StorePlace {
  const place = parseStorePlace(text);
  if (place.ok) return place.value;
  throw new CommandFailure(exitCodes.usage, `${option}: ${place.problem}`);
}

const outcomes: Readonly<Record<MigrationResult['outcome'], string>> = {
  moved: 'moved, both stores are equal',
  equal: 'nothing to do, both stores are equal',
  backed_up: 'backed up, read back and compared',
  restored: 'restored, read back and compared',
};

const columns: Columns<readonly [table: string, rows: number]> = {
  table: ([table]) => table,
  rows: ([, rows]) => String(rows),
};

function report(result: MigrationResult, { json }: { readonly json?: true }, terminal: Terminal): void {
  const { outcome, from, to, content, seconds } = result;
  if (json === true) {
    const { rows, hash } = content;
    printJson(terminal, { outcome, from, to, rows, hash, seconds: Math.round(seconds * 10) / 10 });
    return;
  }
  terminal.print(`${from} to ${to}: ${outcomes[outcome]} (${seconds.toFixed(1)} s)\n`);
  printTable(terminal, columns, Object.entries(content.rows));
  terminal.print(`SHA-256 of all rows: ${content.hash}\n`);
}
