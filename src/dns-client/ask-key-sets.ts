/**
 * Asks every nameserver of a domain which keys it publishes, which DS records it asks the parent zone for, and whose
 * signatures it has. Where several providers sign a domain (RFC 8901), each has its own sets of these.
 */
import { rrType } from '../dns/codes.ts';
import type { Message, MessageRecord } from '../dns/message.ts';
import { equalDomainNames, lowerDomainName, type DomainName } from '../dns/name.ts';
import { formatRdata } from '../dns/rdata/rdata.ts';
import { showName } from '../dns/show-name.ts';
import { askDelegatedNames } from './ask-delegated-names.ts';
import { visitEachServer, type ServerAnswer } from './ask-each-server.ts';
import { createAskResolvers, type Ask } from './ask-resolvers.ts';
import { readSerial } from './ask-serials.ts';
import { DnsFailure } from './dns-failure.ts';
import { findNames, findServers } from './find-nameservers.ts';
import { checkCount, ListedTexts } from './listed-texts.ts';
import type { ParentLookup } from './parent-lookup.ts';

/** The sets of one address of a nameserver. Data is in presentation format, as `formatRdata` writes it. */
export type ServerKeySets = ServerAnswer<KeySets>;

export interface KeySets {
  readonly serial: number;
  /** The key tags of the signatures of the SOA record; empty: it is not signed. */
  readonly signers: readonly number[];
  readonly dnskeys: readonly string[];
  /** The time for which resolvers may keep the DNSKEY records, in seconds; 0 without any. */
  readonly keysTtl: number;
  readonly cds: readonly string[];
  readonly cdnskeys: readonly string[];
}

/**
 * Returns each address of each nameserver of a domain, at least one entry, as `askSerials` does, and of those that only its
 * delegation names: each provider may list its own alone, while resolvers ask those of all. Each is asked four questions.
 * The most questions of one look: 46 for the names and the parent zone, one for each of its 64 servers, 32 for addresses, and
 * four for each of 64 nameservers: 398.
 *
 * @throws DnsFailure if the nameservers are unknown; the reason of an aborted signal
 */
export async function askKeySets(
  domain: DomainName,
  lookup: ParentLookup,
): Promise<readonly ServerKeySets[]> {
  const zone = lowerDomainName(domain);
  const ask = createAskResolvers(lookup.resolvers, lookup);
  const listed = await findNames(zone, ask);
  const delegated = await askDelegatedNames(zone, lookup);
  const names = new Map([...listed, ...delegated].map((name) => [showName(name), name]));
  const servers = await findServers([...names.values()], ask, lookup);
  const texts = new ListedTexts();
  const visit = async (askServer: Ask): Promise<KeySets> => {
    const sets = await askOne(zone, askServer);
    texts.add(sets.dnskeys, sets.cds, sets.cdnskeys);
    return sets;
  };
  return visitEachServer(servers, visit, { ...lookup, dnssecOk: true });
}

async function askOne(zone: DomainName, ask: Ask): Promise<KeySets> {
  const soa = await ask(zone, rrType.SOA);
  const serial = readSerial(soa, zone);
  const signers = readSigners(soa, zone);
  const keys = await askSet(zone, rrType.DNSKEY, ask);
  return {
    serial,
    signers,
    dnskeys: showAll(keys),
    keysTtl: Math.max(0, ...keys.map(({ ttl }) => ttl)),
    cds: showAll(await askSet(zone, rrType.CDS, ask)),
    cdnskeys: showAll(await askSet(zone, rrType.CDNSKEY, ask)),
  };
}

async function askSet(zone: DomainName, type: number, ask: Ask): Promise<readonly MessageRecord[]> {
  const { isAuthoritative, answers } = await ask(zone, type);
  if (!isAuthoritative) throw new DnsFailure('malformed', `it is not authoritative for ${showName(zone)}`);
  const found = answers.filter((record) => record.type === type && equalDomainNames(record.owner, zone));
  checkCount(found, 'keys');
  return found;
}

function showAll(records: readonly MessageRecord[]): readonly string[] {
  return records.map(({ type, rdata }) => formatRdata(type, rdata));
}

/** The type that is covered comes first in the data of a signature, and the key tag after 16 octets (RFC 4034 section 3.1). */
function readSigners({ answers }: Message, zone: DomainName): readonly number[] {
  const signatures = answers.filter(
    ({ type, owner, rdata }) =>
      type === rrType.RRSIG &&
      rdata.length >= 18 &&
      equalDomainNames(owner, zone) &&
      u16(rdata, 0) === rrType.SOA,
  );
  checkCount(signatures, 'signatures');
  return signatures.map(({ rdata }) => u16(rdata, 16));
}

function u16(octets: Uint8Array, at: number): number {
  return (octets[at] << 8) | octets[at + 1];
}
