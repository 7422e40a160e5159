// Checks TXT records for mail servers: SPF (RFC 7208), DKIM keys (RFC 6376) and DMARC policies (RFC 7489), and stray
// backslashes that exports of other providers leave in them.
import { decodeCharacterStrings } from '../dns/character-strings.ts';
import { rrType } from '../dns/codes.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { checkDkimKey } from './dkim-key.ts';
import { countSpfLookups, isSpf, MAX_SPF_LOOKUPS, readSpfPolicy, type SpfPolicy } from './spf-policy.ts';
import type { IndexedZone } from './indexed-zone.ts';
import type { Findings, Severity, WarningCode, ZoneWarning } from '../model/zone-warning.ts';

export function* checkMailPolicy(
  index: IndexedZone,
  owner: OwnerKey,
  records: readonly DomainRecord[],
): Findings {
  const texts = yield* readTexts(records);
  if (texts.length === 0) return;
  for (const { record, content } of texts) {
    yield;
    if (content.includes('\\;')) {
      yield warn(
        record,
        'escaped_semicolon',
        'warning',
        'The text has a backslash before a semicolon, most likely left over from another provider’s export',
      );
    }
  }
  yield* checkSpf(index, texts);
  if (isBelow(owner, '_domainkey')) yield* checkDkim(texts);
  if (owner === '_dmarc' || owner.startsWith('_dmarc.')) yield* checkDmarc(texts);
}

interface Text {
  readonly record: DomainRecord;
  /** Each octet as one character: policies are ASCII. */
  readonly content: string;
}

function* readTexts(records: readonly DomainRecord[]): Findings<readonly Text[]> {
  const texts: Text[] = [];
  for (const record of records) {
    yield;
    if (record.type === rrType.TXT) texts.push({ record, content: readText(record) });
  }
  return texts;
}

function readText({ rdata }: DomainRecord): string {
  return latin1.decode(decodeCharacterStrings(rdata));
}

const latin1 = new TextDecoder('latin1');

function* checkSpf(index: IndexedZone, texts: readonly Text[]): Findings {
  const policies = texts.filter(({ content }) => isSpf(content));
  const [first] = policies;
  if (policies.length === 0) return;
  if (policies.length > 1) {
    const message = `There are ${policies.length} SPF records at this name; mail servers then ignore all of them`;
    yield warn(first.record, 'spf_several', 'error', message);
    return;
  }
  const policy = readSpfPolicy(first.content, index);
  const lookups = countSpfLookups(policy, (owner) => policyAt(index, owner));
  if (lookups.unknownTerm !== undefined) {
    const message = `The SPF record has ${JSON.stringify(lookups.unknownTerm)}, which is not a mechanism; mail servers then ignore the whole record`;
    yield warn(first.record, 'spf_malformed', 'error', message);
  }
  if (lookups.count > MAX_SPF_LOOKUPS) {
    const message = `The SPF record needs at least ${lookups.count} lookups, and mail servers give up after ${MAX_SPF_LOOKUPS}`;
    yield warn(first.record, 'spf_lookups', 'error', message);
  }
}

/** A policy may be included by many others, a hundred times each, from among thousands of texts: read it only once. */
const includedPolicies = new WeakMap<IndexedZone, Map<OwnerKey, SpfPolicy | undefined>>();

function policyAt(index: IndexedZone, owner: OwnerKey): SpfPolicy | undefined {
  const known = includedPolicies.get(index) ?? new Map<OwnerKey, SpfPolicy | undefined>();
  includedPolicies.set(index, known);
  if (!known.has(owner)) {
    const text = (index.owners.get(owner) ?? []).find(isPolicy);
    known.set(owner, text && readSpfPolicy(readText(text), index));
  }
  return known.get(owner);
}

function isPolicy(record: DomainRecord): boolean {
  return record.type === rrType.TXT && isSpf(readText(record));
}

function* checkDkim(texts: readonly Text[]): Findings {
  for (const { record, content } of texts) {
    yield;
    const fault = checkDkimKey(content);
    if (fault === undefined) continue;
    yield warn(
      record,
      fault.isShort ? 'dkim_key_short' : 'dkim_key_broken',
      fault.isShort ? 'warning' : 'error',
      fault.message,
    );
  }
}

function* checkDmarc(texts: readonly Text[]): Findings {
  const policies = texts.filter(({ content }) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(content));
  if (policies.length > 1) {
    const message = `There are ${policies.length} DMARC records; mail servers then ignore all of them`;
    yield warn(policies[0].record, 'dmarc_several', 'error', message);
  }
  const [text] = texts;
  if (policies.length === 0) {
    yield warn(
      text.record,
      'dmarc_without_policy',
      'error',
      'The text at _dmarc does not begin with v=DMARC1; mail servers ignore it',
    );
    return;
  }
  for (const { record, content } of policies) {
    yield;
    if (/;\s*p\s*=\s*(?:none|quarantine|reject)\s*(?:;|$)/i.test(content)) continue;
    yield warn(
      record,
      'dmarc_without_policy',
      'error',
      'The DMARC record has no policy p=none, p=quarantine or p=reject; mail servers ignore it',
    );
  }
}

function isBelow(owner: OwnerKey, label: string): boolean {
  return owner.endsWith(`.${label}`) || owner.includes(`.${label}.`);
}

function warn(record: DomainRecord, code: WarningCode, severity: Severity, message: string): ZoneWarning {
  return { code, severity, name: record.name, type: record.type, recordId: record.id, message };
}
