import type { ParentDs, ServerDs } from '../../dns-client/ask-ds.ts';

/** The DS records of a domain at its parent zone, as far as they are known. */
export type ParentView =
  | {
      readonly state: 'present';
      /** In presentation format. */
      readonly records: readonly string[];
      /** Resolvers may keep the records for so many seconds; without `servers`, the resolver that was asked does. */
      readonly ttl: number;
      /** Undefined if only a resolver could be asked. */
      readonly servers?: AskedServers;
    }
  | {
      readonly state: 'absent';
      /** A resolver still expects signatures for so many seconds, by a DS record or keys in its cache. */
      readonly remembered?: number;
      readonly servers?: AskedServers;
    }
  | {
      readonly state: 'unknown';
      readonly reason: string;
    };

/** The nameservers of the parent zone, by name. */
export interface AskedServers {
  readonly parent: string;
  readonly all: readonly ServerDs[];
  /** Names that have a DS record, at one of their addresses at least. */
  readonly having: readonly string[];
  /** Names that have none, and said so. */
  readonly lacking: readonly string[];
  /** Names of which no address gave a usable answer. */
  readonly silent: readonly string[];
}

/** The DS records as a resolver has them in its cache, or gets them from one of the servers. */
export type ResolverView =
  | { readonly state: 'present'; readonly records: readonly string[]; readonly ttl: number }
  | { readonly state: 'absent' }
  | { readonly state: 'unknown'; readonly reason: string };

/** The servers know better than a resolver; without an answer from any of them, the resolver's view counts. */
export function combineViews(resolver: ResolverView, { parent, servers: all, maxTtl }: ParentDs): ParentView {
  const servers = { parent, all, ...sortNames(all) };
  if (servers.having.length > 0) {
    const records = [...new Set(all.flatMap((server) => ('ds' in server ? server.ds : [])))];
    return { state: 'present', records, ttl: maxTtl, servers };
  }
  if (servers.lacking.length === 0) return resolver;
  return resolver.state === 'present' && resolver.ttl > 0
    ? { state: 'absent', remembered: resolver.ttl, servers }
    : { state: 'absent', servers };
}

/** With a DS record in its cache, a resolver can validate the keys once more, shortly before it forgets the record. */
export function addKeys(view: Extract<ParentView, { state: 'absent' }>, keyTtl: number): ParentView {
  return keyTtl === 0 ? view : { ...view, remembered: (view.remembered ?? 0) + keyTtl };
}

function sortNames(all: readonly ServerDs[]): Pick<AskedServers, 'having' | 'lacking' | 'silent'> {
  const namesOf = (servers: readonly ServerDs[]): ReadonlySet<string> =>
    new Set(servers.map(({ name }) => name));
  const having = namesOf(all.filter((server) => 'ds' in server && server.ds.length > 0));
  const answering = namesOf(all.filter((server) => 'ds' in server));
  const names = [...namesOf(all)];
  return {
    having: [...having],
    lacking: names.filter((name) => answering.has(name) && !having.has(name)),
    silent: names.filter((name) => !answering.has(name)),
  };
}

/** True if validating resolvers reject unsigned answers, or some of them do until their caches forget. */
export function expectsSignatures(view: ParentView | undefined): boolean {
  return view?.state === 'present' || (view?.state === 'absent' && view.remembered !== undefined);
}

/**
 * True if the delegation of a domain that is not signed here must not change yet, or if nobody knows.
 *
 * @param isSignedThere whether it is signed at the old provider
 */
export function holdsDelegation(view: ParentView | undefined, isSignedThere: boolean | undefined): boolean {
  if (expectsSignatures(view)) return true;
  if (isSignedThere !== true || view === undefined) return false;
  return view.state === 'unknown' || (view.state === 'absent' && hasSilent(view));
}

/** Whether a nameserver of the parent zone may still have a DS record. */
export function hasSilent({ servers }: Extract<ParentView, { state: 'absent' }>): boolean {
  return servers !== undefined && servers.silent.length > 0;
}

/** For `--json`. */
export function viewAsJson(view: ParentView): object {
  if (view.state === 'unknown') return { state: view.state, reason: view.reason };
  const { state, servers } = view;
  const found =
    state === 'present'
      ? { ds: view.records, ttl: view.ttl }
      : { ds: [], ...(view.remembered !== undefined && { remembered: view.remembered }) };
  return {
    state,
    ...found,
    ...(servers && { zone: servers.parent, servers: servers.all.map(serverAsJson) }),
  };
}

function serverAsJson(server: ServerDs): object {
  const { name, address = null } = server;
  return 'ds' in server
    ? { name, address, ds: server.ds, ttl: server.ttl }
    : { name, address, problem: server.problem.message };
}
