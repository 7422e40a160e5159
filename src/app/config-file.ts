import { readFileSync } from 'node:fs';
import { parse, TomlError, type TomlTable } from 'smol-toml';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';

/** Read if it exists and no other file is named. */
export const DEFAULT_CONFIG_FILE = './zonewright.toml';

/**
 * Reads the file's keys with their values as text, in the form of an option: lists are joined with commas.
 *
 * @param isRequired false: a missing file counts as empty
 */
export function readConfigFile(path: string, isRequired: boolean): Parsed<ReadonlyMap<string, string>> {
  const text = readText(path, isRequired);
  if (!text.ok) return text;
  const table = parseTable(path, text.value);
  if (!table.ok) return table;
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(table.value)) {
    const scalars = (Array.isArray(value) ? value : [value]).map(formatScalar);
    if (!scalars.every((scalar) => scalar !== undefined)) {
      return malformed(`${path}: ${key} must be a text, a number, true or false, or a list of them`);
    }
    texts.set(key, scalars.join(','));
  }
  return parsed(texts);
}

function readText(path: string, isRequired: boolean): Parsed<string> {
  try {
    return parsed(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    if (reason === 'ENOENT' && !isRequired) return parsed('');
    return malformed(`the configuration file ${path} cannot be read (${reason ?? String(error)})`);
  }
}

function parseTable(path: string, text: string): Parsed<TomlTable> {
  try {
    return parsed(parse(text, { integersAsBigInt: 'asNeeded' }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = (error.message.split('\n', 1)[0] ?? '').replace(/^Invalid TOML document: /, '');
    return malformed(`${path} is not valid TOML at line ${error.line}, column ${error.column}: ${reason}`);
  }
}

function formatScalar(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  return undefined;
}
