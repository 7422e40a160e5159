import { namesKey } from '../match-ds.ts';
import type { KeyRoles, SignedKey, SigningFacts } from './signing-facts.ts';

/** The servers of the parent zone, sorted by what they have; each is named once. */
export interface SortedServers extends Readonly<Record<ServerKind, readonly string[]>> {
  /** `com`; undefined if no server is known. */
  readonly parent: string | undefined;
  /** Names of which no address gave a usable answer. */
  readonly silent: readonly string[];
  /** The DS records that are neither wanted nor of any use, wherever they are. */
  readonly stray: readonly string[];
  /** Servers of `having` that lack a DS record which is wanted: that of another provider, or of the new key. */
  readonly incomplete: readonly string[];
  /** The keys whose DS records these lack. */
  readonly absent: readonly SignedKey[];
}

/**
 * - `having`: a DS record of a key that can be used.
 * - `lacking`: no DS record at all.
 * - `wrong`: only DS records of other keys.
 */
type ServerKind = 'having' | 'lacking' | 'wrong';

/** Resolvers ask any address of a server: the worst answer counts. */
const ranks: Readonly<Record<ServerKind, number>> = { having: 0, lacking: 1, wrong: 2 };

interface Answer {
  readonly name: string;
  readonly ds: readonly string[];
}

export function sortServers(facts: SigningFacts, { usable, wanted }: KeyRoles): SortedServers {
  const { parent, answers, silent } = findAnswers(facts);
  const isUsable = (ds: string): boolean => namesKey(ds, facts.name, usable);
  const isWanted = (ds: string): boolean => namesKey(ds, facts.name, wanted);
  const kinds = new Map<string, ServerKind>();
  for (const { name, ds } of answers) {
    const kind = ds.length === 0 ? 'lacking' : ds.some(isUsable) ? 'having' : 'wrong';
    if (ranks[kind] >= ranks[kinds.get(name) ?? 'having']) kinds.set(name, kind);
  }
  const namesOf = (wantedKind: ServerKind): readonly string[] =>
    [...kinds].flatMap(([name, kind]) => (kind === wantedKind ? [name] : []));
  const stray = answers.flatMap(({ ds }) => ds.filter((record) => !isUsable(record) && !isWanted(record)));
  return {
    parent,
    having: namesOf('having'),
    lacking: namesOf('lacking'),
    wrong: namesOf('wrong'),
    silent,
    stray: [...new Set(stray)],
    ...findAbsent(facts, wanted, namesOf('having'), answers),
  };
}

function findAbsent(
  { name }: SigningFacts,
  wanted: readonly SignedKey[],
  having: readonly string[],
  answers: readonly Answer[],
): Pick<SortedServers, 'incomplete' | 'absent'> {
  const partial = answers.filter((answer) => having.includes(answer.name));
  const lacks = ({ ds }: Answer, key: SignedKey): boolean =>
    !ds.some((record) => namesKey(record, name, [key]));
  const incomplete = partial.filter((answer) => wanted.some((key) => lacks(answer, key)));
  return {
    incomplete: [...new Set(incomplete.map((answer) => answer.name))],
    absent: wanted.filter((key) => incomplete.some((answer) => lacks(answer, key))),
  };
}

/**
 * Without an answer from any server, the parent zone that is hosted here counts: the service knows what it has, and a
 * server of its own often has an address that is not public.
 */
function findAnswers({ look, hosted }: SigningFacts): {
  readonly parent: string | undefined;
  readonly answers: readonly Answer[];
  readonly silent: readonly string[];
} {
  const servers = look.kind === 'asked' ? look.sight.servers : [];
  const answers = servers.flatMap((server) => ('ds' in server ? [server] : []));
  if (answers.length === 0 && hosted !== undefined) {
    return { parent: hosted.domain, answers: [{ name: hosted.domain, ds: hosted.ds }], silent: [] };
  }
  const heard = new Set(answers.map(({ name }) => name));
  const silent = new Set(servers.map(({ name }) => name).filter((name) => !heard.has(name)));
  return { parent: look.kind === 'asked' ? look.sight.parent : undefined, answers, silent: [...silent] };
}
