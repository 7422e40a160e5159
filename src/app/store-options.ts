import { CommandFailure } from '../cli/failures/command-failure.ts';
import type { Command } from '../cli/command-line/command.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import type { Terminal } from '../cli/terminal/terminal.ts';
import type { StorePlace } from '../migration/store-place.ts';
import { loadConfig } from './config.ts';
import { settings, type Config, type SettingName } from './config-settings.ts';

/** The server's settings of the store, so that a command in the server's environment uses the same store. */
export interface StoreOptions {
  readonly database?: string;
  readonly data?: string;
  readonly config?: string;
}

export function addStoreOptions(command: Command): Command {
  for (const { option, environment, help } of [settings.database, settings.data]) {
    command.option(option, `${help} (${environment})`);
  }
  return command.option(
    '--config <path>',
    'TOML file of settings; default: ./zonewright.toml if it exists (ZONEWRIGHT_CONFIG)',
  );
}

/**
 * @param others further settings given as options
 * @throws CommandFailure if a setting is wrong
 */
export function loadStoreConfig(
  { database, data, config: file }: StoreOptions,
  terminal: Terminal,
  others: Partial<Record<SettingName, readonly string[]>> = {},
): Config {
  const options = {
    ...(database === undefined ? {} : { database: [database] }),
    ...(data === undefined ? {} : { data: [data] }),
    ...others,
  };
  const loaded = loadConfig({ options, file, environment: terminal.environment });
  if (!loaded.ok) throw new CommandFailure(exitCodes.usage, loaded.problem);
  return loaded.value.config;
}

export function placeOf(config: Config): StorePlace {
  return config.database.kind === 'postgres' ? config.database : { kind: 'sqlite', folder: config.data };
}
