// Finds mistakes that one record shows by itself: digests of the wrong length, CAA tags that nobody knows, the obsolete SPF type, and
// addresses at names that are no host names.
import { dsDigestOctets } from '../dns/digest-length.ts';
import { rrType } from '../dns/codes.ts';
import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { warnOf, type ZoneWarning } from '../model/zone-warning.ts';

export function findValueFault(owner: OwnerKey, record: DomainRecord): ZoneWarning | undefined {
  const { type } = record;
  switch (type) {
    case rrType.A:
    case rrType.AAAA:
      return findHostFault(owner, record);
    case rrType.TLSA:
    case rrType.SMIMEA:
    case rrType.DS:
    case rrType.CDS:
      return findDigestFault(record);
    case rrType.CAA:
      return findTagFault(record);
    case rrType.SPF:
      return warnOf(
        record,
        'spf_type_obsolete',
        'warning',
        'Mail servers do not read records of type SPF; publish the policy as a TXT record (RFC 7208 section 3.1)',
      );
    default:
      return undefined;
  }
}

/** An underscore begins names that are not hosts, such as _dmarc; those below Active Directory’s have addresses on purpose. */
function findHostFault(owner: OwnerKey, record: DomainRecord): ZoneWarning | undefined {
  if (!owner.includes('_')) return undefined;
  const message = `The name ${record.name} of an address has an underscore, so it is not a host name: no certificate is issued for it, and some software refuses it (RFC 1123 section 2.1)`;
  return warnOf(record, 'host_name_unusual', 'notice', message);
}

interface DigestField {
  /** The offset of the octet that selects the algorithm; the digest follows it. */
  readonly offset: number;
  readonly name: string;
  readonly octetsByAlgorithm: ReadonlyMap<number, number>;
  readonly reference: string;
}

/** SHA-256 and SHA-512. */
const certificateDigest: DigestField = {
  offset: 2,
  name: 'matching type',
  octetsByAlgorithm: new Map([
    [1, 32],
    [2, 64],
  ]),
  reference: 'RFC 6698 section 2.1.3',
};

/** GOST R 34.11-2012 (RFC 9558) and SM3 (RFC 9563), besides those of the record type. */
const keyDigest: DigestField = {
  offset: 3,
  name: 'digest type',
  octetsByAlgorithm: new Map([...dsDigestOctets, [5, 32], [6, 32]]),
  reference: 'RFC 4034 section 5.1.4',
};

function findDigestFault(record: DomainRecord): ZoneWarning | undefined {
  const { type, rdata } = record;
  const field = type === rrType.DS || type === rrType.CDS ? keyDigest : certificateDigest;
  const algorithm = rdata[field.offset];
  const octets = rdata.length - field.offset - 1;
  const expected = field.octetsByAlgorithm.get(algorithm);
  if (expected === undefined || octets === expected) return undefined;
  const message = `The digest of the ${formatRecordType(type)} record has ${octets} octets, and ${field.name} ${algorithm} has ${expected}: nothing can match it; enter the whole digest (${field.reference})`;
  return warnOf(record, 'digest_length', 'error', message);
}

/** The registry "Certification Authority Restriction Properties" of IANA. */
const caaTags: ReadonlySet<string> = new Set([
  'issue',
  'issuewild',
  'issuemail',
  'issuevmc',
  'iodef',
  'contactemail',
  'contactphone',
]);

const CAA_CRITICAL = 0x80;

function findTagFault(record: DomainRecord): ZoneWarning | undefined {
  const { rdata } = record;
  const tag = String.fromCharCode(...rdata.subarray(2, 2 + rdata[1]));
  if (caaTags.has(tag.toLowerCase())) return undefined;
  const isCritical = (rdata[0] & CAA_CRITICAL) !== 0;
  const effect = isCritical
    ? 'and since it is critical, certification authorities issue nothing'
    : 'so certification authorities ignore it';
  const message = `The CAA record has the tag ${tag}, which is not registered, ${effect}; use issue, issuewild, issuemail or iodef (RFC 8659 section 4.1)`;
  return warnOf(record, 'caa_tag_unknown', isCritical ? 'error' : 'warning', message);
}
