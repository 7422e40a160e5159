import { formatZoneFile } from '../../dns/zone-file/format-zone-file.ts';
import { formatServerAddress, type ServerAddress } from '../../dns-client/server-address.ts';
import { transferZone } from '../../dns-client/transfer-zone.ts';
import { getZoneName } from '../names/zone-names.ts';
import type { CopySource } from './copy-source.ts';
import type { TsigKey } from '../../dns/tsig.ts';

/** A nameserver that allows transfers of whole zones (AXFR), with a TSIG key if it requires one. */
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
      return { text: [...formatZoneFile(zone, [], records)].join(''), skipped: [], notes: [] };
    },
  });
  return {
    description: `the nameserver ${formatServerAddress(server)}`,
    list: () => Promise.resolve(domains.map(zoneOf)),
  };
}
