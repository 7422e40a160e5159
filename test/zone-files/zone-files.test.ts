import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatZoneFile } from '../../src/dns/zone-file/format-zone-file.ts';
import { listCorpus, listingPath, readCorpusFile } from './corpus.ts';
import { compareListings, formatListing } from './listing.ts';
import { domainName, readOurselves } from './own-reader.ts';

const corpus = listCorpus();

test.each(corpus)('$path reads as other readers read it', (file) => {
  const kept = readFileSync(listingPath(file), 'latin1').trimEnd().split('\n');
  const own = formatListing(readOurselves(readCorpusFile(file), file.origin));
  expect(compareListings(own, kept)).toEqual([]);
});

test.each(corpus)('$path, written by us and read again, is the same zone', (file) => {
  const records = readOurselves(readCorpusFile(file), file.origin);
  const written = [...formatZoneFile(domainName(file.origin), ['again'], records)].join('');
  expect(formatListing(readOurselves(written, 'invalid.'))).toEqual(formatListing(records));
});

test('what the tools wrote of one zone is one zone', () => {
  // dnssec-signzone and Knot signed it, and Knot raised its serial.
  const same = corpus.filter(({ path }) => /^tools\/(?!root|bind-dnssec|knot)/.test(path));
  const [first, ...rest] = same.map((file) =>
    formatListing(readOurselves(readCorpusFile(file), file.origin)),
  );
  expect(rest.length).toBeGreaterThan(5);
  for (const other of rest) expect(other).toEqual(first);
});
