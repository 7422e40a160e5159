// Reads a zone file with ldns.

import type { ListedRecord } from '../../zone-files/listing.ts';
import { readGenericText } from './read-generic-text.ts';
import { runForOctets } from './run-for-octets.ts';

/** Requests generic output of all types except this one, which no zone has. */
const NEVER_USED_TYPE = 'WKS';

/** ldns-read-zone has no option for the origin, so the file gets another line. */
export async function readWithLdns(text: string, origin: string): Promise<ListedRecord[]> {
  const args = ['-U', NEVER_USED_TYPE];
  const listed = await runForOctets('ldns-read-zone', args, `$ORIGIN ${origin}\n${text}`);
  return readGenericText(listed.toString('latin1'));
}
