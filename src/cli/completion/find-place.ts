import type { Command, Option } from 'commander';
import type { ConnectionOptions } from '../connection/connection.ts';

/** Where a command line stands that is being written: what its last word may become. */
export interface Place {
  readonly command: Command;
  /** The options so far, as the command would get them. */
  readonly given: ConnectionOptions;
  readonly awaited: 'command' | 'option' | Awaited;
  /** Of the last word what stays, `--scope=`. */
  readonly before: string;
  /** The rest of it, which may be empty. */
  readonly begun: string;
}

/** A value: of what `<placeholder>` says, or of the choices alone. */
interface Awaited {
  readonly placeholder: string;
  readonly choices?: readonly string[] | undefined;
}

/** Anything may stand here, or nothing. */
const unknown: Awaited = { placeholder: '' };

/** @param words behind the programme's name; the last may be empty or begun */
export function findPlace(program: Command, words: readonly string[]): Place {
  const { command, given, open, argumentCount, isArgumentsOnly } = followWords(program, words.slice(0, -1));
  const last = words.at(-1) ?? '';
  const whole = { command, given, before: '', begun: last };
  if (open !== undefined) return { ...whole, awaited: valueOf(open) };
  if (isArgumentsOnly || !last.startsWith('-'))
    return { ...whole, awaited: nextArgument(command, argumentCount) };
  const { option, value } = readOption(command, last);
  if (value === undefined) return { ...whole, awaited: 'option' };
  const before = last.slice(0, last.length - value.length);
  return { ...whole, before, begun: value, awaited: option === undefined ? unknown : valueOf(option) };
}

interface Followed extends Pick<Place, 'command' | 'given'> {
  readonly argumentCount: number;
  /** Behind a lone -- there are no options any more. */
  readonly isArgumentsOnly: boolean;
  /** It waits for its value. */
  readonly open: Option | undefined;
}

function followWords(program: Command, words: readonly string[]): Followed {
  let command = program;
  let argumentCount = 0;
  let isArgumentsOnly = false;
  let open: Option | undefined;
  const given: Record<string, string> = {};
  for (const word of words) {
    if (open !== undefined) {
      given[open.attributeName()] = word;
      open = undefined;
    } else if (word === '--') isArgumentsOnly = true;
    else if (word.startsWith('-') && !isArgumentsOnly) {
      const { option, value } = readOption(command, word);
      if (option?.required === true && value === undefined) open = option;
      else if (option !== undefined && value !== undefined) given[option.attributeName()] = value;
    } else {
      const next = command.commands.find((child) => child.name() === word);
      if (next === undefined) argumentCount++;
      command = next ?? command;
    }
  }
  return { command, given, argumentCount, isArgumentsOnly, open };
}

/** `--name` or `--name=value`. */
function readOption(
  command: Command,
  word: string,
): { option: Option | undefined; value: string | undefined } {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  const value = equals < 0 ? undefined : word.slice(equals + 1);
  const option = command.options.find(({ long, short }) => name === long || name === short);
  return { option, value };
}

function valueOf({ flags, argChoices }: Option): Awaited {
  const placeholder = /<(.*)>/.exec(flags)?.[1] ?? '';
  const choices = argChoices ?? (placeholder.includes('|') ? placeholder.split('|') : undefined);
  return { placeholder, choices };
}

function nextArgument(command: Command, count: number): Place['awaited'] {
  const declared = command.registeredArguments;
  const last = declared.at(-1);
  const next = declared.at(count) ?? (last?.variadic === true ? last : undefined);
  if (next !== undefined) return { placeholder: next.name(), choices: next.argChoices };
  return command.commands.length > 0 && count === 0 ? 'command' : unknown;
}
