import { checkSignedZone } from '../../src/dnssec/check-signed-zone.test-support.ts';
import { nameOf, readZoneRecords } from '../../src/dnssec/zone-records.test-support.ts';
import type { SigningStatusJson } from '../../src/contract/signing-status-shape.ts';
import type { Victim } from './victim.ts';

/* The state of a domain that one writer signs and changes, as the interface shows it, with a check of the whole zone. */

export interface SignedState {
  readonly wish: string;
  readonly denial: string | null;
  /** The data of each DNSKEY record, also of a key that is not published yet. */
  readonly keys: readonly string[];
  readonly rollover: { readonly id: string; readonly kind: string; readonly step: string } | null;
  /** The ids of the records, without those that the service made. */
  readonly records: readonly string[];
  readonly serial: number;
}

const TYPE_DNSKEY = 48;

/**
 * Nobody else may change the domain meanwhile. The faults are those of the zone: it has to be signed completely as long as it
 * has keys, and the nameserver has to serve this version of it.
 */
export async function readSignedState(
  victim: Pick<Victim, 'request' | 'ask'>,
  domain: string,
  faults: string[],
): Promise<SignedState> {
  const path = `/v2/domains/${domain}`;
  const read = async (below: string): Promise<string> => {
    const { reply } = await victim.request((http) => http.get(path + below));
    if (reply.status !== 200)
      throw new Error(`GET ${path}${below} was answered ${reply.status} ${reply.text}`);
    return reply.text;
  };
  const { dnssec } = JSON.parse(await read('/dnssec/status')) as { dnssec: SigningStatusJson };
  const { keys } = JSON.parse(await read('/dnssec/keys')) as { keys: { dnskey: string }[] };
  const { domain: about } = JSON.parse(await read('')) as { domain: { dns_sec: string } };
  const { records } = JSON.parse(await read('/records?per_page=500')) as {
    records: { id: string; name: string }[];
  };
  const dnskeys = keys.map(({ dnskey }) => dnskey);
  const { denial, rollover } = dnssec;
  const serial = await victim.ask((dns, options) => dns.serial(domain, options));
  const served = await victim.ask((dns, options) => dns.ask(domain, TYPE_DNSKEY, options));
  const published = served.answers.length;
  const isRight = published === (rollover?.step === 'signing' ? dnskeys.length - 1 : dnskeys.length);
  if (!isRight)
    faults.push(`${domain} has ${dnskeys.length} keys in step ${rollover?.step}, and ${published} in DNS`);
  if (dnskeys.length > 0) {
    const zone = readZoneRecords(await read('/zonefile?dnssec=true'), nameOf(`${domain}.`));
    const nowSeconds = Math.floor(Date.now() / 1000);
    const problems = checkSignedZone(zone, nameOf(`${domain}.`), nowSeconds, dnskeys.map(octetsOf));
    if (problems.length > 0)
      faults.push(`${domain} with serial ${serial}: ${problems.slice(0, 3).join('; ')}`);
  }
  return {
    wish: about.dns_sec,
    denial,
    keys: dnskeys,
    rollover: rollover && { id: rollover.id, kind: rollover.kind, step: rollover.step },
    records: records.filter(({ name }) => name !== '').map(({ id }) => id),
    serial,
  };
}

/** @param dnskey the data as text */
function octetsOf(dnskey: string): Uint8Array {
  const [flags, protocol, algorithm, key] = dnskey.split(' ');
  const fixed = Buffer.of(Number(flags) >>> 8, Number(flags) & 255, Number(protocol), Number(algorithm));
  return Buffer.concat([fixed, Buffer.from(key, 'base64')]);
}
