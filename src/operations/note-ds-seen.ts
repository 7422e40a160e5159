import { rrType } from '../dns/codes.ts';
import { formatRdata, parseRdata } from '../dns/rdata/rdata.ts';
import type { OwnerSeen } from '../dnssec/rollover.ts';
import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import { refused, success, type Refused, type Result, type WriteResult } from '../model/result.ts';
import { hasAnswer } from '../signer/parent-looks.ts';
import { asksParent, MAX_SEEN_TTL_SECONDS, UNSEEN_DS_TTL_SECONDS } from '../signer/rollover/next-action.ts';
import { commitDomainWrite } from './commit-write.ts';
import { findHostedParent } from './find-hosted-parent.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';

export interface SaidDs {
  /** RDATA of DS records in presentation format. */
  readonly ds?: readonly string[] | undefined;
  /** Seconds; also as a decimal string. */
  readonly ttl?: number | string | undefined;
}

/** Two providers with five keys each that have one DS record; registries take fewer. */
const MAX_DS = 10;

/**
 * Takes the owner's word for the DS records of the parent zone, for a step that waits for them (contract rule 73). People say
 * such a thing too early, so it counts only if the service cannot ask, and the TTLs pass all the same.
 */
export async function noteDsSeen(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  said: SaidDs,
): Promise<WriteResult<null>> {
  const read = readSaid(said);
  if (!read.ok) return read;
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const domain = found.value;
  const keys = domain.denial === null ? [] : await context.store.signing.zoneKeys(domain);
  const rollover = keys.find((key) => key.rollover !== null)?.rollover;
  if (!rollover || !asksParent(rollover)) {
    return refused(
      'dnssec_conflict',
      `Nothing of domain ${quoteText(domain.name)} waits for a DS record at its parent zone now`,
    );
  }
  const refusal = await findAnswerRefusal(context, caller, domain);
  if (refusal !== undefined) return refusal;
  const { id, step } = rollover;
  const seen: OwnerSeen = { ...read.value, atSeconds: Math.floor(context.clock.nowMs() / 1000) };
  const terms = termsOf(context, caller);
  return commitDomainWrite(
    context,
    { kind: 'noteDsSeen', ...terms, domain: domain.name, id, step, seen },
    caller,
  );
}

function readSaid({ ds: texts, ttl = UNSEEN_DS_TTL_SECONDS }: SaidDs): Result<Omit<OwnerSeen, 'atSeconds'>> {
  if (texts === undefined) {
    return refused('invalid_request', 'ds is required: [] says that the parent zone has no DS record', 'ds');
  }
  if (texts.length > MAX_DS) {
    return refused('invalid_request', `ds may have ${MAX_DS} records at most`, 'ds');
  }
  const ds = new Set<string>();
  for (const text of texts) {
    const rdata = parseRdata(rrType.DS, text.trim());
    if (!rdata.ok) return refused('invalid_request', `ds: ${rdata.problem}`, 'ds');
    ds.add(formatRdata(rrType.DS, rdata.value));
  }
  const ttlSeconds = /^\d{1,10}$/.test(String(ttl)) ? Number(ttl) : 0;
  if (ttlSeconds < 1 || ttlSeconds > MAX_SEEN_TTL_SECONDS) {
    return refused(
      'invalid_request',
      `ttl must be a number of seconds from 1 to ${MAX_SEEN_TTL_SECONDS}`,
      'ttl',
    );
  }
  return success({ ds: [...ds].sort(), ttlSeconds });
}

/** Refuses with what the service sees itself. */
async function findAnswerRefusal(
  context: OperationContext,
  { getSignal }: Requester,
  { accountId, name }: Domain,
): Promise<Refused | undefined> {
  const [look, hosted] = await Promise.all([
    context.parentLooks.look(accountId, ownerDomainName(APEX, name), name, getSignal),
    findHostedParent(context, { accountId }, name),
  ]);
  const refuse = (server: string, ds: readonly string[]): Refused =>
    refused(
      'dnssec_conflict',
      `The parent zone of ${quoteText(name)} can be asked, so what it has counts: ${server} has ${ds.length === 0 ? 'no DS record' : ds.join(', ')}`,
    );
  if (look.kind === 'unknown' && look.isBusy === true) return refused('busy', `Not now: ${look.reason}`);
  if (look.kind === 'asked' && hasAnswer(look)) {
    const [first] = look.sight.servers.flatMap((server) => ('ds' in server ? [server] : []));
    return refuse(first.name, first.ds);
  }
  return hosted && refuse(`your domain ${hosted.domain}`, hosted.ds);
}
