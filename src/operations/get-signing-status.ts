import type { GetSignal } from '../base/fair-semaphore.ts';
import { RENEWAL_INTERVAL_SECONDS, RENEWED_BELOW_SECONDS } from '../dnssec/signature-times.ts';
import type { ZoneKey } from '../dnssec/zone-key.ts';
import type { Caller } from '../model/account.ts';
import type { Domain } from '../model/domain.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import { progressOf } from '../model/signing-work.ts';
import { success, type Result } from '../model/result.ts';
import { KEY_SETS_KEPT_MS } from '../signer/key-set-looks.ts';
import { orOwnersWord } from '../signer/owner-look.ts';
import {
  describeSigning,
  keyStateOf,
  type KeyState,
  type SigningStatus,
} from '../signer/status/signing-status.ts';
import type { SigningProgress } from '../signer/status/signing-facts.ts';
import { findHostedParent } from './find-hosted-parent.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';

export interface DomainSigningStatus extends SigningStatus {
  readonly denial: Domain['denial'];
  /** Empty if the domain is not signed. */
  readonly keys: readonly (ZoneKey & { readonly state: KeyState })[];
  /** No signature expires before; null: the domain is not signed. */
  readonly earliestExpirySeconds: number | null;
  /** How far the signatures of a large domain are made or removed, in names; null: nothing is left to do. */
  readonly progress: { readonly done: number; readonly total: number } | null;
}

function findProgress({ signingWork, recordCount }: Domain): SigningProgress | null {
  if (signingWork === null) return null;
  const { kind, problem } = signingWork;
  return { kind, problem, ...progressOf(signingWork, recordCount) };
}

/**
 * Returns how a domain is signed, what its parent zone has, and what its owner has to do next. The nameservers of the
 * parent zone are asked within the limits of `ParentLooks`.
 *
 * @param getSignal called only if the request has to wait
 */
export async function getSigningStatus(
  context: OperationContext,
  caller: Caller,
  domainText: string,
  getSignal: GetSignal,
): Promise<Result<DomainSigningStatus>> {
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const domain = found.value;
  const { store, parentLooks, keySetLooks } = context;
  const name = ownerDomainName(APEX, domain.name);
  const isSigned = domain.denial !== null;
  const stored = isSigned ? store.signing.zoneKeys(domain) : Promise.resolve([]);
  const [keys, hosted, look, keySets] = await Promise.all([
    stored,
    findHostedParent(context, caller, domain.name),
    parentLooks.look(caller.accountId, name, domain.name, getSignal),
    stored.then((found) => {
      const keptMs = keptKeySetsMs(found, context.clock.nowMs());
      if (keptMs === undefined) return undefined;
      return keySetLooks.look(caller.accountId, name, domain.name, getSignal, keptMs);
    }),
  ]);
  const isWithdrawn = domain.withdrawnAtSeconds !== null;
  const work = findProgress(domain);
  const rollover = keys.find((key) => key.rollover !== null)?.rollover;
  const facts = {
    ...{ domain: domain.name, name, isSigned, isWithdrawn, work, keys, keySets, hosted },
    look: hosted === undefined ? orOwnersWord(look, rollover, domain.name) : look,
  };
  const status = describeSigning(facts);
  const nowSeconds = Math.floor(context.clock.nowMs() / 1000);
  return success({
    ...withPresigned(status, domain, nowSeconds),
    denial: domain.denial,
    keys: keys.map((key) => ({ ...key, state: keyStateOf(key) })),
    earliestExpirySeconds: findEarliestExpiry(domain),
    progress: work && { done: work.done, total: work.total },
  });
}

/**
 * How old a look at all nameservers may be: it is from after the beginning of the step, which changes what those of this service
 * publish. Undefined unless the key is exchanged beside keys of other providers, whose nameservers have to publish it, too.
 */
function keptKeySetsMs(keys: readonly ZoneKey[], nowMs: number): number | undefined {
  const rollover = keys.find((key) => key.rollover !== null)?.rollover;
  if (rollover?.kind !== 'shared') return undefined;
  const begunAtMs = (rollover.sinceSeconds + 1) * 1000;
  return Math.min(KEY_SETS_KEPT_MS, Math.max(0, nowMs - begunAtMs));
}

const DAY_SECONDS = 86_400;

/** Days in which somebody can find out why no new file has come: signers renew signatures a week before they end. */
const WARNED_BEFORE_SECONDS = 4 * DAY_SECONDS;

/** Nobody here renews the signatures of another signer. */
function withPresigned(
  status: SigningStatus,
  { name, presignedUntilSeconds: until }: Domain,
  nowSeconds: number,
): SigningStatus {
  if (until === null || until - nowSeconds > WARNED_BEFORE_SECONDS) return status;
  const date = `${new Date(until * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const rest = status.nextStep === NOTHING_TO_DO ? '' : `. Besides: ${status.nextStep}`;
  const step = `a newly signed zone with "zonewright zonefile import ${name} FILE --presigned"`;
  if (until > nowSeconds)
    return { ...status, nextStep: `Import ${step} before ${date}: its signatures end then${rest}` };
  const isRejected = status.state === 'secure';
  const nextStep = `Import ${step} now: its signatures ended at ${date}, and validating resolvers reject its answers${rest}`;
  return { ...status, nextStep, state: isRejected ? 'bogus' : status.state };
}

const NOTHING_TO_DO = 'Nothing has to be done';

/**
 * A renewal leaves no signature with less time than `RENEWED_BELOW_SECONDS` and is due `RENEWAL_INTERVAL_SECONDS` later. In a
 * restored store, a domain is due from 0 on, and the time of its last renewal is not known.
 */
function findEarliestExpiry({ renewAtSeconds, presignedUntilSeconds }: Domain): number | null {
  if (presignedUntilSeconds !== null) return presignedUntilSeconds;
  return renewAtSeconds === null || renewAtSeconds === 0
    ? null
    : renewAtSeconds + RENEWED_BELOW_SECONDS - RENEWAL_INTERVAL_SECONDS;
}
