// What a master file means, in one form for all readers: a sorted line for each record, all of it in wire form.
//
//     www.example.com. 300 TYPE1 c0000201
//
// Owners are lower case with `\DDD` for all but letters, digits, `-`, `_` and `*`, so that no reader's own way to write names has a part in it.

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

/** What is in one listing and not in the other, for a message; empty when they are equal. */
export function compareListings(seen: readonly string[], wanted: readonly string[]): string[] {
  const [seenLines, wantedLines] = [new Set(seen), new Set(wanted)];
  return [
    ...wanted.filter((line) => !seenLines.has(line)).map((line) => `missing  ${line}`),
    ...seen.filter((line) => !wantedLines.has(line)).map((line) => `too much ${line}`),
  ];
}
