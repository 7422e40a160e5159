// Checks the SPF policy of a name (RFC 7208): its terms, the lookups that it costs, and lookups that find nothing.
import { rrType } from '../dns/codes.ts';
import { formatDomainName } from '../dns/name.ts';
import { quoteText } from '../model/quote-text.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { warnOf, type Findings } from '../model/zone-warning.ts';
import { answererOf, isDelegation, parents, type IndexedZone } from './indexed-zone.ts';
import { readText, type Text } from './read-text.ts';
import {
  countSpfLookups,
  isSpf,
  MAX_SPF_LOOKUPS,
  readSpfPolicy,
  type SpfLookup,
  type SpfPolicy,
} from './spf-policy.ts';

export function* checkSpf(index: IndexedZone, owner: OwnerKey, texts: readonly Text[]): Findings {
  const policies = texts.filter(({ content }) => isSpf(content));
  const [first] = policies;
  if (policies.length === 0) return;
  if (policies.length > 1) {
    const message = `There are ${policies.length} SPF records at this name; mail servers then ignore all of them. Merge them into one (RFC 7208 section 3.2)`;
    yield warnOf(first.record, 'spf_several', 'error', message);
    return;
  }
  const policy = readSpfPolicy(first.content, index, owner);
  yield* checkTerms(index, first.record, policy);
  yield* checkVoidLookups(index, first.record, policy);
}

function* checkTerms(index: IndexedZone, record: DomainRecord, policy: SpfPolicy): Findings {
  const lookups = countSpfLookups(policy, (owner) => policyAt(index, owner));
  if (lookups.problem !== undefined) {
    const message = `The SPF record has ${lookups.problem}; mail servers then ignore the whole record`;
    yield warnOf(record, 'spf_malformed', 'error', message);
  }
  if (lookups.count > MAX_SPF_LOOKUPS) {
    const message = `The SPF record needs at least ${lookups.count} lookups, and mail servers give up after ${MAX_SPF_LOOKUPS} (RFC 7208 section 4.6.4)`;
    yield warnOf(record, 'spf_lookups', 'error', message);
  }
  if (policy.passAll !== undefined) {
    const message = `The SPF record ends in ${quoteText(policy.passAll)}, which allows every server to send mail of this domain; use -all or ~all (RFC 7208 section 5.1)`;
    yield warnOf(record, 'spf_allows_all', 'warning', message);
  }
}

/**
 * The included policies, by the owner that answers. A policy may be included by many others, a hundred times each, by as many
 * names if a wildcard answers, and from among thousands of texts: read it only once.
 */
const includedPolicies = new WeakMap<IndexedZone, Map<OwnerKey, SpfPolicy | undefined>>();

function policyAt(index: IndexedZone, owner: OwnerKey): SpfPolicy | undefined {
  const known = includedPolicies.get(index) ?? new Map<OwnerKey, SpfPolicy | undefined>();
  includedPolicies.set(index, known);
  const answering = answererOf(index, owner);
  if (!known.has(answering)) {
    const text = index.owners.get(answering)?.find(isPolicy);
    known.set(answering, text && readSpfPolicy(readText(text), index, answering));
  }
  return known.get(answering);
}

function isPolicy(record: DomainRecord): boolean {
  return record.type === rrType.TXT && isSpf(readText(record));
}

/** RFC 7208 section 4.6.4: more lookups without an answer are an error. */
const MAX_VOID_LOOKUPS = 2;

/** A policy has up to a hundred; the message must fit into a header. */
const MAX_NAMED_TERMS = 5;

/** Only names of this zone, and of other domains that the caller has looked up, are known to have no records. */
function* checkVoidLookups(index: IndexedZone, record: DomainRecord, policy: SpfPolicy): Findings {
  const found: SpfLookup[] = [];
  const known = new Map<string, boolean>();
  for (const lookup of policy.lookups) {
    // Many terms of a policy can mean its own name. A term contains no space.
    const key = lookup.owner === undefined ? lookup.text : `${lookup.kind} ${lookup.owner}`;
    if (!known.has(key)) {
      yield* readsFor(lookup);
      known.set(key, isVoid(index, lookup));
    }
    if (known.get(key) === true) found.push(lookup);
    yield;
  }
  const missing = found.find(({ kind }) => kind === 'policy');
  if (missing !== undefined) {
    const name = missing.name === undefined ? '' : ` (${formatDomainName(missing.name)})`;
    const message = `The SPF record has ${quoteText(missing.text)}, but no SPF record exists there${name}; mail servers then ignore the whole record (RFC 7208 section 5.2)`;
    yield warnOf(record, 'spf_void_lookup', 'error', message);
  }
  const empty = found.filter(({ kind }) => kind !== 'policy').map(({ text }) => quoteText(text));
  if (empty.length === 0) return;
  const isFatal = empty.length > MAX_VOID_LOOKUPS;
  const effect = isFatal
    ? `mail servers give up after ${MAX_VOID_LOOKUPS} such terms`
    : `of such terms mail servers accept ${MAX_VOID_LOOKUPS}`;
  const more = empty.length > MAX_NAMED_TERMS ? ` and ${empty.length - MAX_NAMED_TERMS} more` : '';
  const message = `The SPF record has ${empty.slice(0, MAX_NAMED_TERMS).join(', ')}${more}, but nothing exists there; ${effect}. Remove what is not needed (RFC 7208 section 4.6.4)`;
  yield warnOf(record, 'spf_void_lookup', isFatal ? 'error' : 'warning', message);
}

/** A name of 16 octets takes about as long as a record: all names above it are looked for. */
const OCTETS_PER_READ = 16;

function* readsFor({ owner }: SpfLookup): Findings {
  const length = owner?.length ?? 0;
  for (let octets = OCTETS_PER_READ; octets < length; octets += OCTETS_PER_READ) yield;
}

function isVoid(index: IndexedZone, { kind, name, owner }: SpfLookup): boolean {
  if (kind === 'other') return false;
  if (owner !== undefined) return isVoidHere(index, kind, owner);
  const known = name && index.facts.names.get(formatDomainName(name).slice(0, -1).toLowerCase());
  if (known === undefined || known.types.has(rrType.CNAME)) return false;
  if (kind === 'policy') return !known.hasSpf;
  return kind === 'mx'
    ? !known.types.has(rrType.MX)
    : !known.types.has(rrType.A) && !known.types.has(rrType.AAAA);
}

function isVoidHere(index: IndexedZone, kind: SpfLookup['kind'], owner: OwnerKey): boolean {
  if (hasData(index, kind, owner)) return false;
  const above = parents(owner);
  if ([owner, ...above].some((name) => isDelegation(index, name))) return false;
  if (above.some((name) => index.has(name, rrType.DNAME))) return false;
  const answering = answererOf(index, owner);
  return !index.has(answering, rrType.CNAME) && !hasData(index, kind, answering);
}

function hasData(index: IndexedZone, kind: SpfLookup['kind'], owner: OwnerKey): boolean {
  if (kind === 'policy') return policyAt(index, owner) !== undefined;
  if (kind === 'mx') return index.has(owner, rrType.MX);
  return index.has(owner, rrType.A) || index.has(owner, rrType.AAAA);
}
