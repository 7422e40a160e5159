// Another provider of the same zone, which signs it with keys of its own (RFC 8901 model 2): Knot, which signs while it
// serves, with one key; or dnssec-signzone of BIND before Knot serves the file, with a key for the keys and one for the zone.

import { rrType } from '../../../src/dns/codes.ts';
import { formatRdata } from '../../../src/dns/rdata/rdata.ts';
import { foreignKey, readDnskey } from '../../../src/dnssec/read-dnskey.ts';
import { KEY_FLAGS, type ZoneKey } from '../../../src/dnssec/zone-key.ts';
import { nameOf } from '../../../src/dnssec/zone-records.test-support.ts';
import { formatWantedDs } from '../../../src/signer/match-ds.ts';
import { knot, sharingKnot, startOldServer, type OldServerKind } from '../../interop/moving/old-servers.ts';
import { runProgram } from '../../interop/run-program.ts';
import type { ModelZone } from '../../interop/signed/model-zone.ts';

/** Longer than here, so that a rollover has to wait for it. */
export const OTHER_KEYS_TTL_SECONDS = 7200;

export const otherSigners = {
  knot: sharingKnot(OTHER_KEYS_TTL_SECONDS),
  bind: knot,
} as const satisfies Record<string, OldServerKind>;

export interface OtherPlan {
  readonly signer: keyof typeof otherSigners;
  readonly folder: string;
  readonly zone: ModelZone;
  /** A loopback address. */
  readonly host: string;
}

/** Keys of this side that the other one has. */
export interface Foreign {
  readonly published: readonly ZoneKey[];
  /** Its CDS and CDNSKEY records ask for the DS record of this one, and for that of its own. */
  readonly announced: ZoneKey;
}

export interface OtherProvider {
  /** `host:port`. */
  readonly address: string;
  /** Without ids. */
  readonly keys: readonly ZoneKey[];
  /** Publishes these keys beside its own, and no others. */
  publish(foreign: Foreign): Promise<void>;
  stop(): Promise<void>;
}

export async function startOtherProvider({ signer, folder, zone, host }: OtherPlan): Promise<OtherProvider> {
  let serial = 1;
  const start = (lines: readonly string[], port?: number) =>
    startOldServer({
      ...{ kind: otherSigners[signer], folder, zone: zone.apex.slice(0, -1), host, isSigned: true },
      text: formatZone(zone, serial, lines),
      ...(port !== undefined && { port }),
    });
  let server = await start([]);
  const keys = await askKeys(zone, host, server.port);
  return {
    address: server.address,
    keys,
    async publish({ published, announced }) {
      const wanted = [announced, ...keys].filter(({ flags }) => flags === KEY_FLAGS);
      const lines = [
        ...published.map((key) => `@ ${OTHER_KEYS_TTL_SECONDS} DNSKEY ${showData(key)}`),
        ...wanted.map((key) => `@ CDS ${formatWantedDs(nameOf(zone.apex), key)}`),
        ...wanted.map((key) => `@ CDNSKEY ${showData(key)}`),
      ];
      // Knot raises the serial each time that it signs.
      serial += 10;
      await server.stop();
      server = await start(lines, server.port);
    },
    stop: () => server.stop(),
  };
}

function formatZone({ apex, records }: ModelZone, serial: number, lines: readonly string[]): string {
  return [
    `$ORIGIN ${apex}`,
    `$TTL ${OTHER_KEYS_TTL_SECONDS}`,
    `@ 3600 SOA ns.other hostmaster.other ${serial} 7200 900 1209600 300`,
    ...records.map(({ owner, ttl, type, shown }) => `${owner} ${ttl} ${type} ${shown}`),
    ...lines,
    '',
  ].join('\n');
}

function showData({ dnskey }: ZoneKey): string {
  return formatRdata(rrType.DNSKEY, dnskey);
}

async function askKeys({ apex }: ModelZone, host: string, port: number): Promise<readonly ZoneKey[]> {
  const asked = ['-r', `@${host}`, '-p', `${port}`, '+norecurse', '+short', apex, 'DNSKEY'];
  const { stdout } = await runProgram('dig', asked);
  const found = stdout.trim().split('\n').map(readDnskey);
  return found.map((data) => {
    if (!data.ok) throw new Error(`${data.problem}\n${stdout}`);
    return foreignKey(data.value, '', 1);
  });
}
