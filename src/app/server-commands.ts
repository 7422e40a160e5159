import { Option } from 'commander';
import { CommandFailure } from '../cli/failures/command-failure.ts';
import type { Command } from '../cli/command-line/command.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import { addOutputOptions, type OutputOptions } from '../cli/terminal/output-options.ts';
import { printJson, printTable, type Columns } from '../cli/terminal/print-list.ts';
import type { Terminal } from '../cli/terminal/terminal.ts';
import { loadConfig, type ConfigEntry, type LoadedConfig } from './config.ts';
import { redactPasswords } from './config-parsers.ts';
import { settings, type SettingName } from './config-settings.ts';
import type { Setting } from './setting.ts';

/** `zonewright serve`. */
export function declareServe(command: Command, terminal: Terminal): void {
  addSettingOptions(command)
    .addHelpText(
      'after',
      '\nSockets named http, https and dns that systemd hands over are used instead of --http, --https and --dns.',
    )
    .examples(
      'zonewright serve --http 127.0.0.1:8080 --dns 192.0.2.53:53,[2001:db8::53]:53',
      'ZONEWRIGHT_DATABASE=postgres://zw:secret@db/zw zonewright serve --role nameserver',
    )
    .action(async (options: CommandOptions) => {
      const { config } = load(options, terminal);
      // Loaded here, so that other commands start without the server's packages.
      const { runService } = await import('./run-service.ts');
      await runService(config, terminal);
    });
}

/** `zonewright config`. */
export function declareConfig(command: Command, terminal: Terminal): void {
  addOutputOptions(addSettingOptions(command))
    .examples('ZONEWRIGHT_LOG=debug zonewright config')
    .action((options: CommandOptions & OutputOptions) => {
      printConfig(load(options, terminal), terminal, options);
    });
}

const declarations: readonly Setting<unknown>[] = Object.values(settings);

/** The parsed options: the texts of every setting, and the file. */
type CommandOptions = Partial<Record<SettingName, readonly string[]>> & { readonly config?: string };

function addSettingOptions(command: Command): Command {
  for (const { option, environment, help } of declarations) {
    const declared = new Option(option, `${help} (${environment})`);
    declared.argParser((text, earlier: readonly string[] | undefined) => [...(earlier ?? []), text]);
    command.addOption(declared);
  }
  return command.option(
    '--config <path>',
    'TOML file of settings; default: ./zonewright.toml if it exists (ZONEWRIGHT_CONFIG)',
  );
}

function load(options: CommandOptions, terminal: Terminal): LoadedConfig {
  const loaded = loadConfig({ options, file: options.config, environment: terminal.environment });
  if (!loaded.ok) throw new CommandFailure(exitCodes.usage, loaded.problem);
  return loaded.value;
}

function redactSecrets({ key, text }: ConfigEntry): string {
  const { isSecret } = declarations.find((setting) => setting.key === key) ?? {};
  return isSecret === true && text !== '' ? '***' : redactPasswords(text);
}

const columns: Columns<ConfigEntry> = {
  setting: ({ key }) => key,
  value: ({ text }) => (text === '' ? '-' : text),
  from: ({ from }) => from,
};

function printConfig({ entries }: LoadedConfig, terminal: Terminal, options: OutputOptions): void {
  const shown = entries.map((entry) => ({ ...entry, text: redactSecrets(entry) }));
  if (options.json !== true) return printTable(terminal, columns, shown, options);
  const members = shown.map(({ key, text, source, from }) => [key, { value: text, source, from }] as const);
  printJson(terminal, Object.fromEntries(members));
}
