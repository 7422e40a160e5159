import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { closestName } from './closest-name.ts';
import { checkConfig } from './config-checks.ts';
import { DEFAULT_CONFIG_FILE, readConfigFile } from './config-file.ts';
import { settings, type Config, type SettingName } from './config-settings.ts';
import type { Setting } from './setting.ts';

/**
 * Reads the configuration; an option overrides the environment, the environment the file, the file the default. An
 * unknown key, a malformed value or a contradiction is rejected with one sentence that names the source.
 */
export interface ConfigSources {
  /** Options of the command line by setting; several texts if an option was repeated. */
  readonly options: Partial<Readonly<Record<SettingName, readonly string[]>>>;
  /** `--config`. */
  readonly file?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The value of one setting and its source. */
export interface ConfigEntry {
  readonly key: string;
  readonly text: string;
  readonly source: 'option' | 'environment' | 'file' | 'default';
  /** The option, variable or file that set the value, or `default`. */
  readonly from: string;
}

export interface LoadedConfig {
  readonly config: Config;
  /** In the table's order. */
  readonly entries: readonly ConfigEntry[];
}

const CONFIG_FILE_VARIABLE = 'ZONEWRIGHT_CONFIG';

/** Variables of the command-line client, which a shell may have set. */
const clientVariables: readonly string[] = [
  'ZONEWRIGHT_URL',
  'ZONEWRIGHT_KEY',
  'ZONEWRIGHT_PROFILE',
  'ZONEWRIGHT_FROM_KEY',
  'ZONEWRIGHT_TSIG',
];

const table: readonly (readonly [SettingName, Setting<unknown>])[] = Object.entries(settings) as [
  SettingName,
  Setting<unknown>,
][];

export function loadConfig(sources: ConfigSources): Parsed<LoadedConfig> {
  const unknownVariable = checkVariables(sources.environment);
  if (unknownVariable !== undefined) return malformed(unknownVariable);
  const named = sources.file ?? variable(sources, CONFIG_FILE_VARIABLE);
  const path = named ?? DEFAULT_CONFIG_FILE;
  const file = readConfigFile(path, named !== undefined);
  if (!file.ok) return file;
  const unknownKey = checkKeys(path, file.value);
  if (unknownKey !== undefined) return malformed(unknownKey);

  const entries: ConfigEntry[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const [name, setting] of table) {
    const entry = findEntry(name, setting, sources, path, file.value, entries);
    if (!entry.ok) return entry;
    const value = setting.parse(entry.value.text);
    if (!value.ok) return malformed(`${origin(entry.value)}: ${value.problem}`);
    entries.push(entry.value);
    values[name] = value.value;
  }
  // Every row of the table has set its value with its own parser.
  const config = values as Config;
  const contradiction = checkConfig(config);
  return contradiction === undefined ? parsed({ config, entries }) : malformed(contradiction);
}

function findEntry(
  name: SettingName,
  setting: Setting<unknown>,
  sources: ConfigSources,
  path: string,
  file: ReadonlyMap<string, string>,
  earlier: readonly ConfigEntry[],
): Parsed<ConfigEntry> {
  const { key } = setting;
  const given = sources.options[name];
  if (given !== undefined) {
    const option = setting.option.split(' ')[0] ?? '';
    if (given.length > 1 && setting.isList !== true)
      return malformed(`${option} is given ${given.length} times`);
    return parsed({ key, text: given.join(','), source: 'option', from: option });
  }
  const fromEnvironment = variable(sources, setting.environment);
  if (fromEnvironment !== undefined) {
    return parsed({ key, text: fromEnvironment, source: 'environment', from: setting.environment });
  }
  const fromFile = file.get(key);
  if (fromFile !== undefined) return parsed({ key, text: fromFile, source: 'file', from: path });
  const textOf = (other: string): string => earlier.find((entry) => entry.key === other)?.text ?? '';
  const text = typeof setting.fallback === 'string' ? setting.fallback : setting.fallback(textOf);
  return parsed({ key, text, source: 'default', from: 'default' });
}

/** An empty variable counts as unset: compose files and unit files write `NAME=` for "nothing". */
function variable(sources: ConfigSources, name: string): string | undefined {
  const text = sources.environment[name];
  return text === '' ? undefined : text;
}

function origin(entry: ConfigEntry): string {
  if (entry.source === 'file') return `${entry.key} in ${entry.from}`;
  return entry.source === 'default' ? `the default of ${entry.key}` : entry.from;
}

function checkKeys(path: string, file: ReadonlyMap<string, string>): string | undefined {
  const known = table.map(([, setting]) => setting.key);
  const unknown = [...file.keys()].find((key) => !known.includes(key));
  return unknown === undefined ? undefined : `${path}: there is no setting ${unknown}${hint(unknown, known)}`;
}

function checkVariables(environment: ConfigSources['environment']): string | undefined {
  const known = [
    ...table.map(([, setting]) => setting.environment),
    CONFIG_FILE_VARIABLE,
    ...clientVariables,
  ];
  const unknown = Object.keys(environment).find(
    (name) =>
      name.startsWith('ZONEWRIGHT_') &&
      !known.includes(name) &&
      !isServiceLink(name, environment[name] ?? ''),
  );
  return unknown === undefined ? undefined : `there is no setting ${unknown}${hint(unknown, known)}`;
}

/** Recognises the variables that Kubernetes sets in every pod for a service named "zonewright…". */
function isServiceLink(name: string, value: string): boolean {
  if (/_SERVICE_(HOST|PORT)(_\w+)?$/.test(name) || /_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$/.test(name)) return true;
  return name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value);
}

function hint(unknown: string, known: readonly string[]): string {
  const closest = closestName(unknown, known);
  return closest === undefined ? ', zonewright config lists those there are' : `, did you mean ${closest}?`;
}
