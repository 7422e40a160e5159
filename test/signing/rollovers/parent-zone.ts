// BIND with the signed parent of all zones, whose DS records the test sets, and the zones below them.

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childHosts, type ModelZone } from '../../interop/signed/model-zone.ts';
import {
  bind,
  signZone,
  startOldServer,
  type OldServer,
  type OldServerKind,
} from '../../interop/moving/old-servers.ts';
import { findKeySigningKey } from '../../interop/moving/parent-zone.ts';
import { runProgram } from '../../interop/run-program.ts';
import { delegated, NAMESERVER } from './nasty-zone.ts';

/** Without the final dot. */
export const REGISTRY = 'registry.example';

/** Everything in that zone has it, the DS records included. */
export const REGISTRY_TTL_SECONDS = 300;

/** Addresses by absolute names. */
export type Nameservers = Readonly<Record<string, string>>;

export interface GrandchildZone {
  /** Without the final dot. */
  readonly name: string;
  readonly file: string;
}

export interface ParentZone {
  readonly address: string;
  /** The file with the key that validators trust. */
  readonly anchorFile: string;
  /** Replaces all delegations: DS data by apex. */
  publish(ds: ReadonlyMap<string, readonly string[]>): Promise<void>;
  stop(): Promise<void>;
}

/** @param nameservers of all zones, with their addresses */
export async function startParentZone(
  folder: string,
  grandchildren: readonly GrandchildZone[],
  nameservers: Nameservers = { [NAMESERVER]: '127.0.0.1' },
): Promise<ParentZone> {
  const kind = bindWith(grandchildren);
  let serial = 1;
  let server: (OldServer & { readonly port: number }) | undefined;
  const publish: ParentZone['publish'] = async (ds) => {
    const port = server?.port;
    await server?.stop();
    const text = formatParent(serial++, ds, nameservers);
    const place = port === undefined ? {} : { port };
    server = await startOldServer({ kind, folder, zone: REGISTRY, text, isSigned: true, ...place });
  };
  await publish(new Map());
  return {
    address: server?.address ?? '',
    anchorFile: findKeySigningKey(folder),
    publish,
    stop: async () => await server?.stop(),
  };
}

function bindWith(zones: readonly GrandchildZone[]): OldServerKind {
  return {
    ...bind,
    async configure(place) {
      const args = await bind.configure(place);
      const clauses = zones.map(({ name, file }) => `zone "${name}" { type primary; file "${file}"; };\n`);
      appendFileSync(join(place.folder, 'named.conf'), clauses.join(''));
      return args;
    },
  };
}

function formatParent(
  serial: number,
  delegations: ReadonlyMap<string, readonly string[]>,
  nameservers: Nameservers,
): string {
  const hosts = Object.entries({ ...nameservers, [NAMESERVER]: '127.0.0.1' });
  return [
    `$ORIGIN ${REGISTRY}.`,
    `$TTL ${REGISTRY_TTL_SECONDS}`,
    `@ SOA ${NAMESERVER} hostmaster ${serial} 7200 900 1209600 300`,
    `@ NS ${NAMESERVER}`,
    ...hosts.map(([name, address]) => `${name} A ${address}`),
    ...Array.from(delegations, ([apex, ds]) => [
      ...Object.keys(nameservers).map((name) => `${apex} NS ${name}`),
      ...ds.map((data) => `${apex} DS ${data}`),
    ]).flat(),
    '',
  ].join('\n');
}

/** Makes the zones below one zone. Returns them with the DS data of the one that is signed. */
export async function makeGrandchildren(
  folder: string,
  apex: string,
): Promise<{ readonly zones: readonly GrandchildZone[]; readonly ds: string }> {
  const zones: GrandchildZone[] = [];
  let ds = '';
  for (const child of delegated) {
    const name = `${child}.${apex.slice(0, -1)}`;
    const own = join(folder, name);
    mkdirSync(own);
    const file = join(own, 'zone');
    const hosts = Array.from(childHosts, ([host, address]) => `${host} A ${address}`);
    const lines = [
      `$ORIGIN ${name}.`,
      '$TTL 300',
      '@ SOA ns hostmaster 1 7200 900 1209600 300',
      `@ NS ${NAMESERVER}`,
    ];
    writeFileSync(file, [...lines, ...hosts, ''].join('\n'));
    if (child === 'insecure') zones.push({ name, file });
    else {
      zones.push({ name, file: await signZone(own, name, file) });
      ds = await dsOf(findKeySigningKey(own));
    }
  }
  return { zones, ds };
}

/** As dig prints it. */
async function dsOf(keyFile: string): Promise<string> {
  const { stdout } = await runProgram('dnssec-dsfromkey', ['-2', keyFile]);
  return / IN DS (.*)/.exec(stdout)?.[1] ?? '';
}

/** The anchor in the form that delv reads. */
export function formatAnchor({ anchorFile }: ParentZone): string {
  const [, fields, key] = / DNSKEY (\d+ \d+ \d+) (.*)/.exec(readFileSync(anchorFile, 'utf8')) ?? [];
  return `trust-anchors { "${REGISTRY}" static-key ${fields} "${key}"; };\n`;
}

/** A zone and the `host:port` of its nameservers. */
export type PlacedZone = Pick<ModelZone, 'apex' | 'children'> & { readonly at: readonly string[] };

/** The zones that resolvers ask, and where. */
export function zoneAddresses(
  parent: ParentZone,
  zones: readonly PlacedZone[],
): Record<string, readonly string[]> {
  const own = zones.flatMap(({ apex, children, at }) => [
    [apex, at] as const,
    ...children.map((child) => [child, [parent.address]] as const),
  ]);
  return Object.fromEntries([[REGISTRY, [parent.address]] as const, ...own]);
}
