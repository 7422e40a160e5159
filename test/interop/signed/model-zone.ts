// A zone as the test wrote it, and what a validating resolver must answer from it: the algorithm of RFC 1034 section 4.3.2
// over a plain list of records, with DNAME (RFC 6672), wildcards (RFC 4592) and the chain of trust of the zones below.

export interface ModelRecord {
  readonly id: string;
  /** Absolute. */
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  /** The data as dig prints it. */
  readonly shown: string;
}

export interface ModelZone {
  /** Absolute. */
  readonly apex: string;
  readonly records: readonly ModelRecord[];
  /** Signed zones below, with `childHosts`. They are secure while this zone has their DS. */
  readonly children: readonly string[];
}

/** The names of each child, and their addresses. */
export const childHosts: ReadonlyMap<string, string> = new Map([
  ['ns', '127.0.0.1'],
  ['www', '192.0.2.80'],
]);

export interface ExpectedAnswer {
  readonly status: 'NOERROR' | 'NXDOMAIN';
  /** `owner type data` of each record, sorted, without signatures. */
  readonly lines: readonly string[];
  /** The TTL of each line; undefined if the resolver makes the record. */
  readonly ttls: ReadonlyMap<string, number | undefined>;
  readonly isSecure: boolean;
}

/** Longer chains of aliases, and loops, are not asked for. */
const MAX_ALIASES = 5;

/** Undefined if the answer lies in a zone that does not exist, or at the end of a long chain. */
export function expectAnswer(zone: ModelZone, name: string, type: string): ExpectedAnswer | undefined {
  const ttls = new Map<string, number | undefined>();
  let at = name;
  for (let alias = 0; alias <= MAX_ALIASES; alias++) {
    const found = findStep(zone, at, type);
    if (found === 'elsewhere') return undefined;
    for (const [line, ttl] of found.ttls) ttls.set(line, ttl);
    if (found.target === undefined)
      return { status: found.status, lines: [...ttls.keys()].sort(), ttls, isSecure: found.isSecure };
    at = found.target;
  }
  return undefined;
}

/** Absolute names below the apex, from the one next to the apex to the name itself. */
export function pathTo(apex: string, name: string): string[] {
  const path: string[] = [];
  for (let at = name; at !== apex; at = at.slice(at.indexOf('.') + 1)) path.unshift(at);
  return path;
}

interface Step {
  readonly status: ExpectedAnswer['status'];
  readonly ttls: ReadonlyMap<string, number | undefined>;
  readonly isSecure: boolean;
  /** The next name to look up. */
  readonly target?: string;
}

function findStep(zone: ModelZone, name: string, type: string): Step | 'elsewhere' {
  for (const above of pathTo(zone.apex, name)) {
    const isSelf = above === name;
    if (setOf(zone, above, 'NS').length > 0 && !(isSelf && type === 'DS'))
      return findInChild(zone, above, name, type);
    const dname = isSelf ? undefined : setOf(zone, above, 'DNAME').at(0);
    // Unbound cannot resolve a synthesised CNAME that is asked for by its type.
    if (dname !== undefined) return type === 'CNAME' ? 'elsewhere' : redirect(dname, name);
  }
  if (exists(zone, name)) return findAt(zone, name, name, type);
  const encloser =
    [zone.apex, ...pathTo(zone.apex, name)].findLast((above) => exists(zone, above)) ?? zone.apex;
  const wildcard = `*.${encloser}`;
  if (exists(zone, wildcard)) return findAt(zone, wildcard, name, type);
  return { status: 'NXDOMAIN', ttls: new Map(), isSecure: true };
}

/** @param source the owner of the records, which may be a wildcard */
function findAt(zone: ModelZone, source: string, name: string, type: string): Step {
  const aliases = type === 'CNAME' ? [] : setOf(zone, source, 'CNAME');
  const records = aliases.length > 0 ? aliases : setOf(zone, source, type);
  const ttl = Math.min(...records.map((record) => record.ttl));
  const ttls = new Map(records.map((record) => [`${name} ${record.type} ${record.shown}`, ttl] as const));
  const alias = aliases.at(0);
  return { status: 'NOERROR', ttls, isSecure: true, ...(alias !== undefined && { target: alias.shown }) };
}

/** RFC 6672 section 2.2. The CNAME is synthesised, and its TTL is not checked. */
function redirect(dname: ModelRecord, name: string): Step {
  const target = name.slice(0, -dname.owner.length) + dname.shown;
  const ttls = new Map([
    [`${dname.owner} DNAME ${dname.shown}`, dname.ttl],
    [`${name} CNAME ${target}`, undefined],
  ]);
  return { status: 'NOERROR', ttls, isSecure: true, target };
}

function findInChild(zone: ModelZone, cut: string, name: string, type: string): Step | 'elsewhere' {
  // The apex of a child has records that its signer made.
  if (!zone.children.includes(cut) || name === cut) return 'elsewhere';
  const isSecure = setOf(zone, cut, 'DS').length > 0;
  const address = childHosts.get(name.slice(0, -cut.length - 1));
  if (address === undefined) return { status: 'NXDOMAIN', ttls: new Map(), isSecure };
  const lines = type === 'A' ? [[`${name} A ${address}`, undefined] as const] : [];
  return { status: 'NOERROR', ttls: new Map(lines), isSecure };
}

export function setOf({ records }: ModelZone, owner: string, type: string): readonly ModelRecord[] {
  return records.filter((record) => record.owner === owner && record.type === type);
}

/** True for owners and for empty non-terminals. */
export function exists({ records }: ModelZone, name: string): boolean {
  return records.some(({ owner }) => owner === name || owner.endsWith(`.${name}`));
}
