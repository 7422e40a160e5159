import type { Command, Option } from 'commander';
import { createClient } from '../client/zonewright-client.ts';
import { findService, type ConnectionOptions } from './connection.ts';
import { readProfiles } from './profiles.ts';
import type { Terminal } from './terminal.ts';

/** A person waits with a finger on the key. */
const ANSWER_TIMEOUT_MS = 1000;

/** One page of the service. */
const MAX_DOMAINS = 500;

/** Where a command line stands: the command so far, its arguments, and the option that wants a value. */
interface Place {
  readonly command: Command;
  readonly argumentCount: number;
  readonly option: Option | undefined;
  readonly given: ConnectionOptions;
}

/**
 * What may stand in the place of the last word, which may be empty or begun: from the tree of commands, and of domains and
 * profiles those there are. Nothing where anything may stand, or the service does not answer at once.
 *
 * @param words behind the programme's name
 */
export async function suggestWords(
  program: Command,
  words: readonly string[],
  terminal: Terminal,
): Promise<readonly string[]> {
  const begun = words.at(-1) ?? '';
  const place = followWords(program, words.slice(0, -1));
  const candidates = await listCandidates(place, begun, terminal);
  return candidates.filter((word) => word.startsWith(begun));
}

function followWords(program: Command, words: readonly string[]): Place {
  let command = program;
  let argumentCount = 0;
  let option: Option | undefined;
  const given: Record<string, string> = {};
  for (const word of words) {
    if (option !== undefined) {
      given[option.attributeName()] = word;
      option = undefined;
    } else if (word.startsWith('-')) {
      const named = command.options.find(({ long, short }) => word === long || word === short);
      if (named?.required === true) option = named;
    } else {
      const next = command.commands.find((child) => child.name() === word);
      if (next === undefined) argumentCount++;
      command = next ?? command;
    }
  }
  return { command, argumentCount, option, given };
}

async function listCandidates(
  { command, argumentCount, option, given }: Place,
  begun: string,
  terminal: Terminal,
): Promise<readonly string[]> {
  if (option !== undefined)
    return option.long === '--profile' ? listProfiles(terminal) : (option.argChoices ?? []);
  if (begun.startsWith('-'))
    return ['--help', ...command.options.flatMap(({ long }) => (typeof long === 'string' ? [long] : []))];
  if (command.commands.length > 0) return command.commands.map((child) => child.name());
  const argument = command.registeredArguments.at(argumentCount);
  if (argument?.name() === 'domain' && command.name() !== 'create')
    return listDomains(given, begun, terminal);
  if (command.parent?.name() === 'profile') return listProfiles(terminal);
  return argument?.argChoices ?? [];
}

function listProfiles({ environment }: Terminal): readonly string[] {
  try {
    return [...readProfiles(environment).keys()];
  } catch {
    return [];
  }
}

async function listDomains(
  given: ConnectionOptions,
  begun: string,
  terminal: Terminal,
): Promise<readonly string[]> {
  const found: string[] = [];
  try {
    const client = createClient({
      ...findService(given, terminal),
      fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }),
      sleep: () => Promise.reject(new Error('nobody waits that long')),
    });
    for await (const { domain } of client.domains.list(begun === '' ? {} : { search: begun })) {
      if (found.push(domain) === MAX_DOMAINS) break;
    }
  } catch {
    // Completion never says what is wrong: the command itself will.
  }
  return found;
}
