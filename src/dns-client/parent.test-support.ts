import type { Packet } from 'dns-packet';
import { startNameserver, type Answerer } from './nameserver.test-support.ts';
import type { ZoneServer } from './find-nameservers.ts';
import type { ParentLookup } from './parent-lookup.ts';
import type { ServerAddress } from './server-address.ts';

/** A DS record as dns-packet writes it, and its text. */
export const ds = { keyTag: 27933, algorithm: 13, digestType: 2, digest: Buffer.alloc(32, 0xab) };
export const dsText = `27933 13 2 ${'AB'.repeat(32)}`;

/** The answer of a parent's server that has a DS record. */
export function withDs(domain: string, ttl = 3600): object {
  return { flags: AUTHORITATIVE, answers: [{ name: domain, type: 'DS', class: 'IN', ttl, data: ds }] };
}

/** The answer of a nameserver of the domain. */
export function withSerial(domain: string, serial: number): object {
  return { flags: AUTHORITATIVE, answers: [soaOf(domain, 900, serial)] };
}

/** A negative answer of the servers of a zone. */
export function withoutDs(zone: string, ttl = 900): object {
  return { flags: AUTHORITATIVE, authorities: [soaOf(zone, ttl)] };
}

const AUTHORITATIVE = 0x0400;

export function soaOf(name: string, ttl = 900, serial = 1): object {
  const data = { mname: 'a', rname: 'b', serial, refresh: 2, retry: 3, expire: 4, minimum: 600 };
  return { name, type: 'SOA', class: 'IN', ttl, data };
}

export function recordOf(name: string, data: string, type = 'A'): object {
  return { name, type, class: 'IN', ttl: 60, data };
}

/** The name, and the address or the kind of the problem. */
export function showZoneServer(server: ZoneServer): string {
  return `${server.name} ${'problem' in server ? server.problem.kind : server.address.host}`;
}

/** A zone: the parent of a domain, or the domain itself. */
export interface TestParent {
  readonly zone: string;
  /** By name; the addresses are 127.0.0.2 and following. */
  readonly servers: Readonly<Record<string, Answerer>>;
  /** Further answers of the resolver, by name and type (`ns.example A`, `*.example A`); undefined: no answer. */
  readonly also?: Readonly<Record<string, object | undefined>>;
}

/** Starts the servers of the zone, and a resolver that knows them. */
export async function startParent({
  zone,
  servers,
  also = {},
}: TestParent): Promise<ParentLookup & { readonly resolver: ServerAddress }> {
  const names = Object.keys(servers);
  const privateServers = await Promise.all(
    names.map((name, i) => startNameserver(servers[name], `127.0.0.${i + 2}`)),
  );
  const records = new Map<string, object | undefined>([
    [`${zone} SOA`, { answers: [soaOf(zone)] }],
    [`${zone} NS`, { answers: names.map((data) => recordOf(zone, data, 'NS')) }],
    ...names.map((name, i): [string, object] => [
      `${name} A`,
      { answers: [recordOf(name, privateServers[i].host)] },
    ]),
    ...Object.entries(also),
  ]);
  const resolver = await startNameserver(({ questions }: Packet) => {
    const key = questions.map(({ name, type }) => `${name === '' ? '.' : name} ${type}`).join();
    if (records.has(key)) return records.get(key);
    return records.get(key.replace(/^[^.]+/, '*')) ?? { authorities: [soaOf(zone)] };
  });
  return { resolvers: [resolver], resolver, privateServers };
}

/** The referral of a parent's server. */
export function delegating(domain: string, ...hosts: readonly string[]): object {
  return { authorities: hosts.map((host) => recordOf(domain, host, 'NS')) };
}

/** The answer of a nameserver that has these TXT records at a name. */
export function withTexts(name: string, ...texts: readonly string[]): object {
  return { flags: AUTHORITATIVE, answers: texts.map((text) => recordOf(name, text, 'TXT')) };
}
