import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import type { Command } from 'commander';
import type { ConnectionOptions } from '../connection/connection.ts';
import { findPlace, type Place } from './find-place.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The user is waiting for the shell to complete the word. */
const ANSWER_TIMEOUT_MS = 1000;

/** The size of one page of the service. */
const MAX_DOMAINS = 500;

/** Completions of the last word. */
export interface Suggestions {
  readonly words: readonly SuggestedWord[];
  /** Defined if any file name can follow: the part of the word before that name. */
  readonly filesBehind: string | undefined;
}

export interface SuggestedWord {
  readonly word: string;
  /** Empty if the word explains itself. */
  readonly description: string;
}

/**
 * Suggests completions of the last word: commands and options from the command tree, domains from the service, profiles
 * from their file. Suggests nothing if the service does not answer at once.
 *
 * @param words after the program's name; the last one can be empty or incomplete
 */
export async function suggestWords(
  program: Command,
  words: readonly string[],
  terminal: Terminal,
): Promise<Suggestions> {
  const place = await findPlace(program, words);
  const { before, begun } = place;
  const found = await listCandidates(place, terminal);
  if (typeof found === 'string') return { words: [], filesBehind: before + found };
  const fitting = found.filter(({ word }) => word.startsWith(begun));
  return {
    words: fitting.map(({ word, description }) => ({ word: before + word, description })),
    filesBehind: undefined,
  };
}

/** A string stands for all files, with that prefix. */
type Candidates = readonly SuggestedWord[] | string;

function listCandidates(place: Place, terminal: Terminal): Candidates | Promise<Candidates> {
  const { command, begun, awaited } = place;
  if (awaited === 'option') {
    const options = command.options.map(({ long, description }) => ({ word: long ?? '', description }));
    return [...options, { word: '--help', description: 'show the help of this command' }];
  }
  if (awaited === 'command') {
    return command.commands.map((child) => ({ word: child.name(), description: child.description() }));
  }
  const { placeholder, choices } = awaited;
  if (choices !== undefined) return plainWords(choices);
  switch (placeholder) {
    case 'file':
    case 'path':
    case 'folder':
      return '';
    case 'domain':
      return listDomains(place.given, terminal, ({ domains }) =>
        domains.list(begun === '' ? {} : { search: begun }),
      );
    case 'deleted-domain':
      return listDomains(place.given, terminal, ({ domains }) => domains.listDeleted());
    case 'profile':
      return listProfiles(terminal);
    case 'source':
      return listSources(begun);
    case 'type':
      return listRecordTypes();
    default:
      return [];
  }
}

function plainWords(words: readonly string[]): readonly SuggestedWord[] {
  return words.map((word) => ({ word, description: '' }));
}

function prefixes(kinds: readonly string[]): readonly string[] {
  return kinds.map((kind) => `${kind}:`);
}

async function listSources(begun: string): Promise<Candidates> {
  const { fileSourceKinds, sourceKinds } = await import('../copy/open-source.ts');
  const filePrefix = prefixes(fileSourceKinds).find((prefix) => begun.startsWith(prefix));
  return filePrefix ?? plainWords(prefixes(sourceKinds));
}

async function listRecordTypes(): Promise<readonly SuggestedWord[]> {
  const { recordTypes } = await import('../../dns/rdata/record-type-registry.ts');
  const writable = recordTypes.filter((type) => type.serviceOwned !== true);
  return writable.map(({ mnemonic, help }) => ({ word: mnemonic, description: help }));
}

async function listProfiles({ environment }: Terminal): Promise<readonly SuggestedWord[]> {
  const { readProfiles } = await import('../connection/profiles.ts');
  try {
    return [...readProfiles(environment)].map(([word, { url }]) => ({ word, description: url }));
  } catch {
    return [];
  }
}

async function listDomains(
  given: ConnectionOptions,
  terminal: Terminal,
  list: (client: ZonewrightClient) => AsyncIterable<{ readonly domain: string }>,
): Promise<readonly SuggestedWord[]> {
  // A domain can have been deleted several times.
  const found = new Set<string>();
  const { createClient } = await import('../../client/zonewright-client.ts');
  const { findService } = await import('../connection/connection.ts');
  const { reachService } = await import('../connection/socket-fetch.ts');
  try {
    const service = reachService(findService(given, terminal));
    const send = service.fetch ?? fetch;
    const client = createClient({
      ...service,
      fetch: (url, init) => send(url, { ...init, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }),
      sleep: () => Promise.reject(new Error('completion does not wait')),
    });
    for await (const { domain } of list(client)) {
      if (found.add(domain).size === MAX_DOMAINS) break;
    }
  } catch {
    // Completion reports no failures; the command itself will.
  }
  return plainWords([...found]);
}
