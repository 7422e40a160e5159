/** Data of NSEC records (RFC 4034 section 4.1), as it is signed and served. */
import { lowerDomainName, type DomainName } from './name.ts';

/**
 * @param next the next owner of the chain; the apex after the last one
 * @param bitmap the types at the record's own owner, see `provenTypeBitmap`
 */
export function nsecRdata(next: DomainName, bitmap: Uint8Array): Uint8Array {
  const rdata = new Uint8Array(next.length + bitmap.length);
  // The canonical form keeps the case of this name (RFC 6840 section 5.1): served and signed data must have the same.
  rdata.set(lowerDomainName(next));
  rdata.set(bitmap, next.length);
  return rdata;
}
