import type { Command as AnyCommand, Option } from 'commander';
import { Command } from '../command-line/command.ts';
import type { ConnectionOptions } from '../connection/connection.ts';

/** The place of the last word in an unfinished command line. */
export interface Place {
  readonly command: AnyCommand;
  /** The options before it, as the command would receive them. */
  readonly given: ConnectionOptions;
  readonly awaited: 'command' | 'option' | Awaited;
  /** The part of the last word that stays as it is: `--scope=`. */
  readonly before: string;
  /** The part that can be completed; may be empty. */
  readonly begun: string;
}

/** A value: one of the choices, or whatever `<placeholder>` describes. */
interface Awaited {
  readonly placeholder: string;
  readonly choices?: readonly string[] | undefined;
}

/** Nothing can be suggested here. */
const unknown: Awaited = { placeholder: '' };

/** @param words after the program's name; the last one can be empty or incomplete */
export async function findPlace(program: AnyCommand, words: readonly string[]): Promise<Place> {
  const followed = await followWords(program, words.slice(0, -1));
  const { command, given, open, argumentCount, isArgumentsOnly } = followed;
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
  /** No options follow, because there was a lone `--`. */
  readonly isArgumentsOnly: boolean;
  /** The last option, if its value is missing. */
  readonly open: Option | undefined;
}

async function followWords(program: AnyCommand, words: readonly string[]): Promise<Followed> {
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
      if (next instanceof Command) await next.complete();
      command = next ?? command;
    }
  }
  return { command, given, argumentCount, isArgumentsOnly, open };
}

/** Reads `--name` or `--name=value`. */
function readOption(
  command: AnyCommand,
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

function nextArgument(command: AnyCommand, count: number): Place['awaited'] {
  const declared = command.registeredArguments;
  const last = declared.at(-1);
  const next = declared.at(count) ?? (last?.variadic === true ? last : undefined);
  if (next !== undefined) return { placeholder: next.name(), choices: next.argChoices };
  return command.commands.length > 0 && count === 0 ? 'command' : unknown;
}
