/**
 * Patterns of record names, relative to any domain:
 *
 *     www                that name                        @     the domain itself
 *     **.dyn             all names below dyn              **    all names
 *     _acme-challenge.** all names that begin with the label, but not the label alone
 *
 * `**` stands for one or more labels. A single `*` is the label of a wildcard (RFC 4592), as in names of records.
 */
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { formatDomainName, lowerDomainName, parseDomainName } from '../dns/name.ts';
import { nameToAscii } from '../dns/name-to-ascii.ts';
import { asciiName } from './idna.ts';
import { quoteText } from './quote-text.ts';
import type { OwnerKey } from './record.ts';

export interface NamePattern {
  readonly kind: 'exact' | 'below' | 'beginning';
  /** That name, the name above, or the first labels. */
  readonly owner: OwnerKey;
}

/** Parses a pattern. Upper case and U-labels are converted, as in names of records. */
export function parseNamePattern(text: string): Parsed<NamePattern> {
  const given = text.trim();
  if (given === '@') return parsed({ kind: 'exact', owner: '' as OwnerKey });
  if (given === ANYTHING) return malformed(`To allow all names, leave out ${quoteText('names')}`);
  if (given.startsWith(`${ANYTHING}.`)) return withOwner('below', given.slice(3), text);
  if (given.endsWith(`.${ANYTHING}`)) return withOwner('beginning', given.slice(0, -3), text);
  return withOwner('exact', given, text);
}

export function formatNamePattern({ kind, owner }: NamePattern): string {
  if (kind === 'exact') return owner === '' ? '@' : owner;
  return kind === 'below' ? `${ANYTHING}.${owner}` : `${owner}.${ANYTHING}`;
}

export function matchesName({ kind, owner: wanted }: NamePattern, owner: OwnerKey): boolean {
  if (kind === 'exact') return owner === wanted;
  return kind === 'below' ? endsInLabels(owner, wanted) : owner.startsWith(`${wanted}.`);
}

/** Whether `outer` matches every name that `inner` matches. */
export function coversPattern(outer: NamePattern, inner: NamePattern): boolean {
  if (inner.kind === 'exact') return matchesName(outer, inner.owner);
  if (outer.kind !== inner.kind) return false;
  return outer.owner === inner.owner || matchesName(outer, inner.owner);
}

const ANYTHING = '**';

/** An escaped dot is part of a label: `a\.dyn` does not end in the label `dyn`. */
function endsInLabels(owner: string, labels: string): boolean {
  if (!owner.endsWith(`.${labels}`)) return false;
  let escapes = 0;
  for (let at = owner.length - labels.length - 2; owner[at] === '\\'; at--) escapes++;
  return escapes % 2 === 0;
}

function withOwner(kind: NamePattern['kind'], name: string, text: string): Parsed<NamePattern> {
  const shown = quoteText(text);
  if (name.includes(ANYTHING) || name === '') {
    return malformed(`Name ${shown} may have ** only as its first or last label`);
  }
  const ascii = nameToAscii(name, asciiName);
  if (!ascii.ok) return malformed(`Name ${shown} is malformed: ${ascii.problem}`);
  const domainName = parseDomainName(ascii.value.ascii);
  if (!domainName.ok) return malformed(`Name ${shown} is malformed: ${domainName.problem}`);
  const lower = formatDomainName(lowerDomainName(domainName.value)).slice(0, -1);
  if (lower === '') return malformed(`Name ${shown} is empty; the domain itself is @`);
  return parsed({ kind, owner: lower as OwnerKey });
}
