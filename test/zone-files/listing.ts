// The content of a zone file in one form for all readers: one line a record, sorted, with the data in wire form.
//
//     www.example.com. 300 TYPE1 c0000201
//
// Owners are lower case, with `\DDD` for everything but letters, digits, `-`, `_` and `*`, so that the listing does not
// depend on how a reader writes names.

export interface ListedRecord {
  /** Uncompressed wire form. */
  readonly owner: Uint8Array;
  readonly ttl: number;
  readonly type: number;
  readonly rdata: Uint8Array;
}

/** Sorted, equal records once. */
export function formatListing(records: Iterable<ListedRecord>): string[] {
  const lines = new Set<string>();
  for (const { owner, ttl, type, rdata } of records) {
    lines.add(`${formatOwner(owner)} ${ttl} TYPE${type} ${Buffer.from(rdata).toString('hex')}`);
  }
  return [...lines].sort();
}

function formatOwner(owner: Uint8Array): string {
  if (owner[0] === 0) return '.';
  let text = '';
  for (let at = 0; owner[at] !== 0;) {
    const end = at + 1 + (owner[at] ?? 0);
    for (at++; at < end; at++) text += formatOctet(owner[at] ?? 0);
    text += '.';
  }
  return text;
}

function formatOctet(octet: number): string {
  const character = String.fromCharCode(octet).toLowerCase();
  return /^[a-z0-9_*-]$/.test(character) ? character : `\\${String(octet).padStart(3, '0')}`;
}

/** The lines that are in only one of the listings, for a message; empty if the listings are equal. */
export function compareListings(seen: readonly string[], wanted: readonly string[]): string[] {
  const [seenLines, wantedLines] = [new Set(seen), new Set(wanted)];
  return [
    ...wanted.filter((line) => !seenLines.has(line)).map((line) => `missing  ${line}`),
    ...seen.filter((line) => !wantedLines.has(line)).map((line) => `too much ${line}`),
  ];
}
