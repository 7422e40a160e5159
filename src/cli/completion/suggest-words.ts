import { createClient, type ZonewrightClient } from '../../client/zonewright-client.ts';
import type { Command } from '../command-line/command.ts';
import { findService, type ConnectionOptions } from '../connection/connection.ts';
import { fileSourceKinds, sourceKinds } from '../copy/open-source.ts';
import { findPlace, type Place } from './find-place.ts';
import { readProfiles } from '../connection/profiles.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A person waits with a finger on the key. */
const ANSWER_TIMEOUT_MS = 1000;

/** One page of the service. */
const MAX_DOMAINS = 500;

/** What may stand in the place of the last word. */
export interface Suggestions {
  readonly words: readonly SuggestedWord[];
  /** What of the word stands before the name of a file, where that may be any there is; undefined: no file. */
  readonly filesBehind: string | undefined;
}

export interface SuggestedWord {
  readonly word: string;
  /** `''` where the word says it all. */
  readonly description: string;
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
): Promise<Suggestions> {
  const place = findPlace(program, words);
  const { before, begun } = place;
  const found = await listCandidates(place, terminal);
  if (typeof found === 'string') return { words: [], filesBehind: before + found };
  const fitting = found.filter(({ word }) => word.startsWith(begun));
  return {
    words: fitting.map(({ word, description }) => ({ word: before + word, description })),
    filesBehind: undefined,
  };
}

/** A text: files, behind what is begun so. */
type Candidates = readonly SuggestedWord[] | string;

function listCandidates(place: Place, terminal: Terminal): Candidates | Promise<Candidates> {
  const { command, begun, awaited } = place;
  if (awaited === 'option') {
    const options = command.options.map(({ long, description }) => ({ word: long ?? '', description }));
    return [...options, { word: '--help', description: 'say how it is used' }];
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
      return (
        prefixes(fileSourceKinds).find((prefix) => begun.startsWith(prefix)) ??
        plainWords(prefixes(sourceKinds))
      );
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

/** Loaded only here: the other commands start without all the types. */
async function listRecordTypes(): Promise<readonly SuggestedWord[]> {
  const { recordTypes } = await import('../../dns/rdata/record-type-registry.ts');
  const writable = recordTypes.filter((type) => type.serviceOwned !== true);
  return writable.map(({ mnemonic, help }) => ({ word: mnemonic, description: help }));
}

function listProfiles({ environment }: Terminal): readonly SuggestedWord[] {
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
  // One can have been deleted several times.
  const found = new Set<string>();
  try {
    const client = createClient({
      ...findService(given, terminal),
      fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }),
      sleep: () => Promise.reject(new Error('nobody waits that long')),
    });
    for await (const { domain } of list(client)) {
      if (found.add(domain).size === MAX_DOMAINS) break;
    }
  } catch {
    // Completion never says what is wrong: the command itself will.
  }
  return plainWords([...found]);
}
