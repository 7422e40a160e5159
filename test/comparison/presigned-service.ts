// Our side with zones that another signer has signed: dnssec-signzone signs them, and the service serves its files.

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApi } from '../interop/api.ts';
import { startService } from '../interop/service.ts';
import type { OwnSide } from './comparison.ts';
import { DnsAsker } from './dns-asker.ts';
import { encodeQuery } from './message.ts';
import { zoneFileName } from './peer.ts';
import { bind } from './peers/bind.ts';
import type { TestZone } from './test-zone.ts';

const checkout = join(import.meta.dirname, '../..');

/** Signs the zones with BIND, starts the built service in `folder`, and imports the files. */
export async function servePresigned(folder: string, zones: readonly TestZone[]): Promise<OwnSide> {
  const files = join(folder, 'signed');
  mkdirSync(files, { recursive: true });
  await bind.sign?.(files, zones.map(inLowerCase), zones.at(0)?.denial ?? 'nsec');
  const service = await startService(checkout, folder, { ZONEWRIGHT_RRL: '0' });
  const asker = new DnsAsker('127.0.0.1', service.dnsPort);
  const stop = async (): Promise<void> => {
    asker.close();
    await service.stop();
  };
  const api = createApi(`http://127.0.0.1:${service.httpPort}`, service.key);
  try {
    for (const zone of zones) {
      const path = `/v2/domains/${zone.apex.slice(0, -1)}/zonefile?presigned=true&create=true`;
      await api.mustSend('PUT', path, readFileSync(join(files, zoneFileName(zone)), 'utf8'));
    }
    return {
      name: 'signed elsewhere',
      zones,
      ask: (query) => asker.ask(encodeQuery(query), query.tcp),
      askRaw: (packet, tcp) => asker.askOnce(packet, tcp),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    api.close();
  }
}

/** BIND signs NSEC records with the spelling of the next name, and the service serves names in lower case. */
function inLowerCase(zone: TestZone): TestZone {
  return {
    ...zone,
    records: zone.records.map((record) => ({ ...record, owner: record.owner.toLowerCase() })),
  };
}
