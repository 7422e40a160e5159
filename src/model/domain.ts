import type { Denial } from '../dns/proven-types.ts';
import type { Claim } from './claim.ts';
import type { SigningWork } from './signing-work.ts';
import type { WithholdReasons } from './withholding.ts';

declare const zoneName: unique symbol;

/** A domain's name as the interface shows it: lower-case A-labels, no trailing dot. Comes only from `parseZoneName`. */
export type ZoneName = string & { readonly [zoneName]: true };

/** A stored domain (zone). */
export interface Domain {
  /** Assigned by the store; ids rise and are never reused. */
  readonly id: number;
  readonly accountId: string;
  readonly name: ZoneName;
  readonly createdAtSeconds: number;
  /** The SOA serial, 32 bits unsigned. Each committed batch that touches the domain raises it once (RFC 1982). */
  readonly serial: number;
  /** The SOA MNAME that was set (`ns1.example.net`); null for the service's first nameserver. */
  readonly soaPrimary: string | null;
  /** The SOA RNAME that was set, as a mail address; null for `hostmaster@` the domain. */
  readonly soaEmail: string | null;
  readonly recordCount: number;
  /** The octets of its records, as `recordOctets` counts them. */
  readonly octets: number;
  /** How the zone proves that a name does not exist; null: the domain is not signed. */
  readonly denial: Denial | null;
  /** When its signatures are made again; null: the domain is not signed. */
  readonly renewAtSeconds: number | null;
  /** Since when signing is being withdrawn, which ends when no DS record is left; null: it is not. */
  readonly withdrawnAtSeconds: number | null;
  /** Since when it waits for its first DS record; null: the parent zone was seen to have it, or the domain is not signed. */
  readonly awaitsDsSinceSeconds: number | null;
  /**
   * The zone was signed elsewhere and is served as it is: until when, in seconds since 1970, all of its sets have a valid
   * signature. Null: it is not signed, or signed here.
   */
  readonly presignedUntilSeconds: number | null;
  /** The serial of the last write by a customer; renewing signatures raises only `serial`. */
  readonly revisedSerial: number;
  /** Signatures that are made or removed in slices; null: all rows are as `denial` says. */
  readonly signingWork: SigningWork | null;
  /** Why it is not served; none: it is. */
  readonly withheld: WithholdReasons;
  /** The entry of the feed with which it was last withheld or released; null: it is as it was created, or not known. */
  readonly withheldSeq: number | null;
  /** Whether control of it was shown; null: that was not asked for. Without a proof, it is withheld as unverified. */
  readonly claim: Claim | null;
}

/** The fields of a domain that is served, and always was. */
export const served = { withheld: [], withheldSeq: null, claim: null } as const;

/** The fields of a domain that is not signed. */
export const unsigned = {
  denial: null,
  renewAtSeconds: null,
  withdrawnAtSeconds: null,
  awaitsDsSinceSeconds: null,
  presignedUntilSeconds: null,
  signingWork: null,
} as const;

/** A domain with the hash of its records. */
export interface HashedDomain extends Domain {
  /** The text of the sum of its records' hashes (see `zone-hash.ts`); null: not known yet. */
  readonly contentHash: string | null;
}

/** A domain that was deleted and can be restored, under the id that it had. */
export interface DeletedDomain extends HashedDomain {
  /** The serial of the deletion. */
  readonly serial: number;
  readonly deletedAtMs: number;
}

/** The member `dns_sec` of a domain (contract rule 18): what its owner wants, and not how far that is carried out. */
export type DnsSecState = 'enabled' | 'disabled';

export function dnsSecOf({
  denial,
  withdrawnAtSeconds,
  signingWork,
}: Pick<Domain, 'denial' | 'withdrawnAtSeconds' | 'signingWork'>): DnsSecState {
  if (signingWork?.kind === 'sign') return 'enabled';
  return denial === null || withdrawnAtSeconds !== null ? 'disabled' : 'enabled';
}
