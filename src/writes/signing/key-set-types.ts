import { rrType } from '../../dns/codes.ts';

/** The sets whose signatures a chain of trust needs before any other (RFC 7344 section 4.1). */
export const keySetTypes: ReadonlySet<number> = new Set([rrType.DNSKEY, rrType.CDS, rrType.CDNSKEY]);
