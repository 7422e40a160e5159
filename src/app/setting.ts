import type { SettingParser } from './config-parsers.ts';

/** A row of the table of settings. */
export interface Setting<T> {
  /** As `--help` shows it: `--dns <address:port>`. */
  readonly option: string;
  readonly environment: string;
  /** In the TOML file and in `zonewright config`. */
  readonly key: string;
  /** The default as text; a function if it depends on earlier settings. */
  readonly fallback: string | ((textOf: (key: string) => string) => string);
  readonly parse: SettingParser<T>;
  /** The option can be repeated; its texts are joined with commas. */
  readonly isList?: boolean;
  /** The value is never shown, neither by `zonewright config` nor in an error message. */
  readonly isSecret?: boolean;
  readonly help: string;
}

/** Checks a row and keeps the type of its value. */
export function setting<T>(declaration: Setting<T>): Setting<T> {
  return declaration;
}
