// Has other programs check zone files that the built service exports with signatures, and its answers.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { rrType } from '../../src/dns/codes.ts';
import { formatDomainName } from '../../src/dns/name.ts';
import type { Denial } from '../../src/dns/proven-types.ts';
import { readZoneRecords } from '../../src/dnssec/zone-records.test-support.ts';
import { createApi, listKeys, type Api } from '../interop/api.ts';
import { startService } from '../interop/service.ts';
import { askWithDnsviz } from './dnsviz.ts';
import { formatForTools } from './format-for-tools.ts';
import { validators, type ZoneFiles } from './validators.ts';
import type { SigningZone } from './zones.ts';
import { newKeyPair } from '../../src/dnssec/key-pair.test-support.ts';

const checkout = join(import.meta.dirname, '../..');

/** @param problems empty if the check has succeeded */
export type Report = (title: string, problems: readonly string[]) => void;

/** Each zone is signed with a key that the service makes, and then again with one that it is given. */
const signings = [
  { algorithm: 'algorithm 13', sign: enable },
  { algorithm: 'algorithm 15', sign: signWithEd25519 },
] as const;

/** The records of these types are written in the form of RFC 3597 for the programs, which are older. */
const EVERY_TYPE = 'every type';

/** Zones that the service does not sign, and why. */
const unsignable: ReadonlyMap<string, string> = new Map([
  ['corners/wild-cuts.test.zone', 'a delegation at a wildcard is undefined (RFC 4592 section 4.2)'],
]);

/**
 * The zone that dnsviz asks for, and its names. Its nameserver is in the zone, because dnsviz looks up others from the root,
 * and none of the names is below the delegation.
 */
const ASKED = 'asked.test';
const NAMESERVER = `ns.${ASKED}`;
const ASKED_ZONE = `
ns 300 A 127.0.0.1
@ 300 A 192.0.2.1
@ 300 MX 10 www
www 300 A 192.0.2.2
www 300 AAAA 2001:db8::2
alias 300 CNAME www
under.empty 300 TXT "x"
*.wild 300 A 192.0.2.3
sub 300 NS ns.other.test.
`;
const askedNames = ['', 'www.', 'alias.', 'under.empty.', 'empty.', 'one.wild.'].map((name) => name + ASKED);

/** Starts a service, gives it the zones, and checks what it exports and answers. */
export async function checkExported(
  zones: readonly SigningZone[],
  denial: Denial,
  folder: string,
  report: Report,
): Promise<void> {
  const home = mkdtempSync(join(folder, 'service-'));
  const service = await startService(checkout, home, {
    ZONEWRIGHT_DNSSEC_DENIAL: denial,
    ZONEWRIGHT_RRL: '0',
    ZONEWRIGHT_NAMESERVERS: NAMESERVER,
    ZONEWRIGHT_ALLOW_PUBLIC_SUFFIXES: 'yes',
  });
  const api = createApi(`http://127.0.0.1:${service.httpPort}`, service.key);
  try {
    for (const zone of zones) {
      const domain = domainOf(zone);
      if (domain === '' || unsignable.has(zone.title)) continue;
      await create(api, domain, formatForTools(zone.records.filter(({ type }) => type !== rrType.SOA)));
      for (const { algorithm, sign } of signings) {
        await sign(api, domain);
        const files = await exportZone(api, domain, zone);
        const title = `${zone.title}, exported with ${algorithm} and ${denial}`;
        for (const validator of validators) {
          if (zone.without.includes(validator.server)) continue;
          report(`${title}: ${validator.name}`, await validator.check(files, home));
        }
      }
    }
    await create(api, ASKED, ASKED_ZONE);
    for (const { algorithm, sign } of signings) {
      await sign(api, ASKED);
      const [key] = await listKeys(api, ASKED);
      const keys = [key.replace(`${ASKED} `, `${ASKED}. 3600 `)];
      const asked = { domain: ASKED, keys, names: askedNames, nameserver: NAMESERVER, port: service.dnsPort };
      report(`${ASKED}, answered with ${algorithm} and ${denial}: dnsviz`, await askWithDnsviz(asked, home));
    }
  } finally {
    api.close();
    await service.stop();
  }
}

function domainOf({ apex }: SigningZone): string {
  return formatDomainName(apex).slice(0, -1);
}

async function create(api: Api, domain: string, content: string): Promise<void> {
  await api.mustSend('POST', `/v2/domains/${domain}/zonefile?create=true`, content);
}

async function enable(api: Api, domain: string): Promise<void> {
  await api.mustSend('PUT', `/v2/domains/${domain}`, { dns_sec: 'enabled' });
}

/** The service makes such a key only in a rollover, which takes days. */
async function signWithEd25519(api: Api, domain: string): Promise<void> {
  await api.mustSend('PUT', `/v2/domains/${domain}?force=true`, { dns_sec: 'disabled' });
  const { privateKey } = newKeyPair('ed25519', {});
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  await api.mustSend('POST', `/v2/domains/${domain}/dnssec/keys`, { private_key: pem });
}

async function exportZone(api: Api, domain: string, { apex, title }: SigningZone): Promise<ZoneFiles> {
  const read = async (query: string): Promise<string> => {
    const { text } = await api.mustSend('GET', `/v2/domains/${domain}/zonefile${query}`);
    return title === EVERY_TYPE ? formatForTools(readZoneRecords(text, apex)) : text;
  };
  return { apex, plain: await read(''), signed: await read('?dnssec=true') };
}
