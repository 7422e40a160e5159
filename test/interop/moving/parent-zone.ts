// A registry: a signed zone on two nameservers, which change one after the other, with the delegation of one domain.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../run-program.ts';
import { bind, knot, startOldServer, type OldServer } from './old-servers.ts';

export const REGISTRY = 'registry.example';

/** Resolvers keep the DS record for so long. */
export const DS_TTL_SECONDS = 4;

/** Each has an address of its own, because a delegation names no ports. BIND uses only those that an interface has. */
const nameservers = [
  { kind: bind, host: '127.0.0.1' },
  { kind: knot, host: '127.0.0.2' },
] as const;

export interface ParentZone {
  /** `host:port` of each nameserver. */
  readonly addresses: readonly string[];
  /** The file with the key that validators trust. */
  readonly anchorFile: string;
  /** Changes the records of the delegation at one nameserver, or at all of them. */
  publish(lines: readonly string[], only?: number): Promise<void>;
  stop(): Promise<void>;
}

/** @param lines the records of the delegation, relative to the registry */
export async function startParentZone(folder: string, lines: readonly string[]): Promise<ParentZone> {
  let serial = 1;
  const servers: (OldServer & { port: number })[] = [];
  const start = (i: number, records: readonly string[]) =>
    startOldServer({
      folder: join(folder, `parent-${i}`),
      zone: REGISTRY,
      text: formatParent(serial++, records),
      isSigned: true,
      ...nameservers[i],
      ...(i < servers.length && { port: servers[i].port }),
    });
  // Both nameservers have the keys of the first.
  servers.push(await start(0, lines));
  await runProgram('cp', ['-r', join(folder, 'parent-0'), join(folder, 'parent-1')]);
  servers.push(await start(1, lines));
  return {
    addresses: servers.map(({ address }) => address),
    anchorFile: findKeySigningKey(join(folder, 'parent-0')),
    async publish(records, only) {
      for (const i of servers.keys()) {
        if (only !== undefined && only !== i) continue;
        await servers[i].stop();
        servers[i] = await start(i, records);
      }
    },
    async stop() {
      for (const server of servers) await server.stop();
    },
  };
}

function formatParent(serial: number, lines: readonly string[]): string {
  return [
    `$ORIGIN ${REGISTRY}.`,
    '$TTL 2',
    `@ SOA ns1 hostmaster ${serial} 7200 900 1209600 2`,
    '@ NS ns1',
    '@ NS ns2',
    ...nameservers.map(({ host }, i) => `ns${i + 1} A ${host}`),
    ...lines,
    '',
  ].join('\n');
}

/** The path of the file with the public key that signs keys. */
export function findKeySigningKey(folder: string): string {
  const found = readdirSync(folder)
    .filter((name) => name.endsWith('.key'))
    .map((name) => join(folder, name))
    .find((path) => readFileSync(path, 'utf8').includes(' DNSKEY 257 '));
  if (found === undefined) throw new Error(`${folder} has no key-signing key`);
  return found;
}
