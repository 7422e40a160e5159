// Checks TXT records for mail servers: SPF (RFC 7208), DKIM keys (RFC 6376), DMARC (RFC 7489) and MTA-STS policies (RFC 8461),
// and stray backslashes that exports of other providers leave in them.
import { rrType } from '../dns/codes.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { checkDkimKey } from './dkim-key.ts';
import { checkSpf } from './check-spf.ts';
import type { IndexedZone } from './indexed-zone.ts';
import { readText, type Text } from './read-text.ts';
import { warnOf, type Findings } from '../model/zone-warning.ts';

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
      yield warnOf(
        record,
        'escaped_semicolon',
        'warning',
        'The text has a backslash before a semicolon, most likely left over from another provider’s export',
      );
    }
  }
  yield* checkSpf(index, owner, texts);
  if (isBelow(owner, '_domainkey')) yield* checkDkim(texts);
  if (owner === '_dmarc' || owner.startsWith('_dmarc.')) yield* checkDmarc(texts);
  if (owner === '_mta-sts' || owner.startsWith('_mta-sts.')) yield* checkMtaSts(texts);
}

function* readTexts(records: readonly DomainRecord[]): Findings<readonly Text[]> {
  const texts: Text[] = [];
  for (const record of records) {
    yield;
    if (record.type === rrType.TXT) texts.push({ record, content: readText(record) });
  }
  return texts;
}

function* checkDkim(texts: readonly Text[]): Findings {
  for (const { record, content } of texts) {
    yield;
    const fault = checkDkimKey(content);
    if (fault === undefined) continue;
    yield warnOf(
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
    yield warnOf(policies[0].record, 'dmarc_several', 'error', message);
  }
  const [text] = texts;
  if (policies.length === 0) {
    yield warnOf(
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
    yield warnOf(
      record,
      'dmarc_without_policy',
      'error',
      'The DMARC record has no policy p=none, p=quarantine or p=reject; mail servers ignore it',
    );
  }
}

/** RFC 8461 section 3.1. */
function* checkMtaSts(texts: readonly Text[]): Findings {
  const policies = texts.filter(({ content }) => /^v=STSv1\s*;/.test(content));
  if (policies.length > 1) {
    const message = `There are ${policies.length} MTA-STS records; mail servers then ignore all of them. Delete all but one (RFC 8461 section 3.1)`;
    yield warnOf(policies[0].record, 'mta_sts_several', 'error', message);
  }
  for (const { record, content } of policies.length === 0 ? texts : policies) {
    yield;
    if (/^v=STSv1\s*;(?:.*;)?\s*id=[A-Za-z0-9]{1,32}\s*(?:;|$)/.test(content)) continue;
    const message =
      'The MTA-STS record needs v=STSv1 and an id of up to 32 letters and digits, as in "v=STSv1; id=20260101"; mail servers ignore it (RFC 8461 section 3.1)';
    yield warnOf(record, 'mta_sts_without_id', 'error', message);
  }
}

function isBelow(owner: OwnerKey, label: string): boolean {
  return owner.endsWith(`.${label}`) || owner.includes(`.${label}.`);
}
