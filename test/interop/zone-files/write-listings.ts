// Writes the stored listings of test/zone-files again, with BIND's reader, or with ldns' if BIND is known to differ:
//
//   node --import tsx test/interop/zone-files/write-listings.ts

import { writeFileSync } from 'node:fs';
import { listCorpus, listingPath, readCorpusFile } from '../../zone-files/corpus.ts';
import { formatListing } from '../../zone-files/listing.ts';
import { readWithBind } from './read-with-bind.ts';
import { readWithLdns } from './read-with-ldns.ts';

for (const file of listCorpus()) {
  const read = file.differs['named-compilezone'] === undefined ? readWithBind : readWithLdns;
  const records = await read(readCorpusFile(file), file.origin);
  writeFileSync(listingPath(file), `${formatListing(records).join('\n')}\n`);
}
