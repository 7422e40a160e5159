import { formatZoneFile } from '../../dns/zone-file/format-zone-file.ts';
import { formatServerAddress, type ServerAddress } from '../dns/server-address.ts';
import { transferZone } from '../dns/transfer-zone.ts';
import type { TsigKey } from '../dns/tsig-key.ts';
import { getZoneName } from '../dns/zone-names.ts';
import type { CopySource } from './copy-source.ts';

/** A nameserver that hands over whole zones (AXFR), with a TSIG key where it wants one. */
export function axfrSource(
  server: ServerAddress,
  key: TsigKey | undefined,
  domains: readonly string[],
): CopySource {
  const zoneOf = (domain: string) => ({
    domain,
    async load() {
      const zone = getZoneName(domain);
      const records = await transferZone(server, zone, { key });
      return { text: [...formatZoneFile(zone, [], records)].join(''), setAside: [], notes: [] };
    },
  });
  return {
    description: `the nameserver ${formatServerAddress(server)}`,
    list: () => Promise.resolve(domains.map(zoneOf)),
  };
}
