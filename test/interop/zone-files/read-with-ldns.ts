// Has ldns read a master file.

import type { ListedRecord } from '../../zone-files/listing.ts';
import { readGenericText } from './read-generic-text.ts';
import { runForOctets } from './run-for-octets.ts';

/** Marks all types but this one for generic output; no zone has it. */
const NEVER_USED_TYPE = 'WKS';

/** ldns-read-zone takes no origin: the file gets a line more. */
export async function readWithLdns(text: string, origin: string): Promise<ListedRecord[]> {
  const args = ['-U', NEVER_USED_TYPE];
  const listed = await runForOctets('ldns-read-zone', args, `$ORIGIN ${origin}\n${text}`);
  return readGenericText(listed.toString('latin1'));
}
