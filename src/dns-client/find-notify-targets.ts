/**
 * Finds the places that a parent zone wants to be told at when a domain has other CDS records (RFC 9859 section 4.1). For
 * `city.ise.mie.jp`, whose parent zone is `jp`:
 *
 *     city._dsync.ise.mie.jp ─▶ city.ise.mie._dsync.jp ─▶ _dsync.jp, each with the type DSYNC
 */
import { rrType } from '../dns/codes.ts';
import type { Message } from '../dns/message.ts';
import { domainNameAt, isSubdomain, lowerDomainName, MAX_NAME_OCTETS, type DomainName } from '../dns/name.ts';
import { checkRdata } from '../dns/rdata/rdata.ts';
import type { Ask } from './ask-resolvers.ts';

/** The target of a DSYNC record. */
export interface NotifyTarget {
  /** A host name. */
  readonly host: DomainName;
  readonly port: number;
}

/** A parent zone has one; more are for several kinds of notification. */
const MAX_TARGETS = 2;

/** @param ask asks a resolver @returns at most two, in the order of the answer; none if nobody wants to be told */
export async function findNotifyTargets(domain: DomainName, ask: Ask): Promise<readonly NotifyTarget[]> {
  const name = lowerDomainName(domain);
  const above = labelOctets(name);
  const first = await askDsync(name, above, ask);
  if (first.targets.length > 0 || first.parent === undefined) return first.targets;
  const { parent } = first;
  const prefix = name.length - parent.length;
  if (prefix > above) {
    const second = await askDsync(name, prefix, ask);
    if (second.targets.length > 0) return second.targets;
  }
  return (await askDsync(parent, 0, ask)).targets;
}

interface FoundTargets {
  readonly targets: readonly NotifyTarget[];
  /** The zone that a negative answer comes from. */
  readonly parent: DomainName | undefined;
}

/** @param prefix the octets of the labels that stand before the label `_dsync` */
async function askDsync(name: DomainName, prefix: number, ask: Ask): Promise<FoundTargets> {
  const none: FoundTargets = { targets: [], parent: undefined };
  if (name.length + dsyncLabel.length > MAX_NAME_OCTETS) return none;
  const asked = Uint8Array.of(
    ...name.subarray(0, prefix),
    ...dsyncLabel,
    ...name.subarray(prefix),
  ) as DomainName;
  const message = await ask(asked, rrType.DSYNC);
  const targets = message.answers.flatMap(readTarget).slice(0, MAX_TARGETS);
  const rest = name.subarray(prefix) as DomainName;
  return { targets, parent: targets.length > 0 ? undefined : zoneOf(message, rest) };
}

/** The zone of a negative answer, which is at the name above the domain or higher. */
function zoneOf({ authorities }: Message, name: DomainName): DomainName | undefined {
  const soa = authorities.find(({ type, owner }) => type === rrType.SOA && isSubdomain(name, owner));
  return soa && lowerDomainName(soa.owner);
}

/** The type, the scheme and the port precede the target (RFC 9859 section 2.1). */
const TARGET_AT = 5;
const SCHEME_NOTIFY = 1;

/** A target `.` means that nobody wants to be told. */
function readTarget({ type, rdata }: Message['answers'][number]): NotifyTarget[] {
  if (type !== rrType.DSYNC || checkRdata(type, rdata) !== undefined) return [];
  const fields = new DataView(rdata.buffer, rdata.byteOffset, rdata.length);
  const host = domainNameAt(rdata, TARGET_AT);
  const isMeant = fields.getUint16(0) === rrType.CDS && fields.getUint8(2) === SCHEME_NOTIFY;
  if (!isMeant || host === undefined || host.length === 1) return [];
  return [{ host, port: fields.getUint16(3) }];
}

/** `_dsync` with its length. */
const dsyncLabel = Uint8Array.of(6, ...Buffer.from('_dsync'));

/** The octets of the first label, with its length. */
function labelOctets(name: DomainName): number {
  return name.length === 1 ? 0 : 1 + name[0];
}
