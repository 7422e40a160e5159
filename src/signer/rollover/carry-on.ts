import type { DomainName } from '../../dns/name.ts';
import { KEY_SET_TTL_SECONDS } from '../../dnssec/key-set-ttl.ts';
import type { Rollover } from '../../dnssec/rollover.ts';
import type { ZoneKey } from '../../dnssec/zone-key.ts';
import type { Domain } from '../../model/domain.ts';
import { APEX, ownerDomainName } from '../../model/record-name.ts';
import type { RolloverDomain, SigningReads } from '../../store/signing-reads.ts';
import type { Store } from '../../store/store.ts';
import { CommitInDoubt, StoreUnavailable } from '../../writes/store-errors.ts';
import type { KeySetLook } from '../key-set-looks.ts';
import { orOwnersWord } from '../owner-look.ts';
import type { ParentLook } from '../parent-looks.ts';
import {
  asksKeySets,
  asksParent,
  MAX_SEEN_TTL_SECONDS,
  nextAction,
  waitsForLongestTtl,
  type RolloverAction,
  type RolloverFacts,
} from './next-action.ts';
import type { SerialLook } from './obstacles.ts';

/** Everything outside a domain's own rows on which its rollover depends. */
export interface RolloverContext {
  readonly store: Pick<Store, 'write' | 'findDomain'> & { readonly signing: SigningReads };
  /** Looks at the parent zone of a domain. */
  readonly lookAtParent: (domain: RolloverDomain, name: DomainName) => Promise<ParentLook>;
  /** Looks at the nameservers of a domain, or only at those of this service. */
  readonly lookAtSerials: (domain: Domain, name: DomainName, which: 'all' | 'own') => Promise<SerialLook>;
  /** Looks at the keys that the nameservers of a domain publish. */
  readonly lookAtKeySets: (domain: RolloverDomain, name: DomainName) => Promise<KeySetLook>;
  /** Called while the parent zone has to take other DS records; the mark names the change of the CDS records. */
  readonly noteCds?: (domain: RolloverDomain, mark: string) => void;
  readonly nowSeconds: number;
}

/**
 * - `waiting`: nothing has changed; with a time if only a TTL has to pass.
 * - `moved`: the rollover is in another state than before.
 * - `failed`: the command was refused, or has failed; the reason is for the log.
 */
export type CarriedOn =
  | { readonly kind: 'waiting'; readonly untilSeconds: number | null }
  | { readonly kind: 'moved' }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Looks at what the rollover of a domain waits for, and carries it on by one command if that has come.
 *
 * @throws StoreUnavailable or CommitInDoubt, which concern all domains
 */
export async function carryOn(domain: RolloverDomain, context: RolloverContext): Promise<CarriedOn> {
  try {
    return await carryOnUnguarded(domain, context);
  } catch (error) {
    if (error instanceof StoreUnavailable || error instanceof CommitInDoubt) throw error;
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function carryOnUnguarded(place: RolloverDomain, context: RolloverContext): Promise<CarriedOn> {
  const { store } = context;
  const [keys, domain] = await Promise.all([
    store.signing.zoneKeys(place),
    store.findDomain(place.accountId, place.name),
  ]);
  const noted = keys.find(hasRollover);
  // It was deleted or has ended meanwhile.
  if (noted === undefined || domain?.id !== place.id) return { kind: 'moved' };
  // The step begins when all signatures are made.
  if (domain.signingWork !== null) return { kind: 'waiting', untilSeconds: null };
  const { rollover } = noted;
  if (rollover.isHeld === true) return { kind: 'waiting', untilSeconds: null };
  if (asksParent(rollover)) context.noteCds?.(place, `${rollover.id} ${rollover.step}`);
  const { action, dsTtlSeconds } = await findAction(domain, noted, keys, context);
  const isWaiting = action.kind === 'wait';
  const waiting: CarriedOn = {
    kind: 'waiting',
    untilSeconds: isWaiting && action.why.length === 0 ? action.untilSeconds : null,
  };
  // The records may be gone at the next look, and so the TTL is noted at once.
  if (isWaiting && dsTtlSeconds === rollover.dsTtlSeconds) return waiting;
  const to = action.kind === 'finish' ? 'next' : { untilSeconds: action.untilSeconds, dsTtlSeconds };
  const { id, step } = rollover;
  const result = await store.write({ kind: 'moveRollover', domain: domain.name, id, step, to });
  if (result.ok || result.refusal.code === 'unknown_domain') return isWaiting ? waiting : { kind: 'moved' };
  return { kind: 'failed', reason: result.refusal.message };
}

type KeyInRollover = ZoneKey & { readonly rollover: Rollover };

function hasRollover(key: ZoneKey): key is KeyInRollover {
  return key.rollover !== null;
}

async function findAction(
  domain: Domain,
  noted: KeyInRollover,
  keys: readonly ZoneKey[],
  context: RolloverContext,
): Promise<{ readonly action: RolloverAction; readonly dsTtlSeconds: number | undefined }> {
  const { nowSeconds } = context;
  const { rollover } = noted;
  const name = ownerDomainName(APEX, domain.name);
  const isParentAsked = asksParent(rollover);
  const found = isParentAsked ? await context.lookAtParent(domain, name) : undefined;
  const look = found && orOwnersWord(found, rollover, domain.name);
  const isShared = asksKeySets(rollover);
  const which = isShared ? 'own' : 'all';
  const serials = isParentAsked ? undefined : await context.lookAtSerials(domain, name, which);
  const keySets = isShared ? await context.lookAtKeySets(domain, name) : undefined;
  const dsTtlSeconds = longestDsTtl(rollover, look);
  const facts: RolloverFacts = {
    name,
    look,
    serials,
    keySets,
    foreign: keys.filter(({ origin }) => origin === 'foreign'),
    incoming: [noted],
    outgoing: keys.filter(({ id, origin }) => id !== noted.id && origin !== 'foreign'),
    ttl: { keys: KEY_SET_TTL_SECONDS, longest: 0, ds: dsTtlSeconds ?? null },
  };
  const action = nextAction(rollover, facts, nowSeconds);
  if (action.kind !== 'note' || !waitsForLongestTtl(rollover)) return { action, dsTtlSeconds };
  // All TTLs of the domain are read only now, once for each step.
  const longest = await findLongestTtl(domain, context.store.signing);
  const ttl = { ...facts.ttl, longest };
  return { action: nextAction(rollover, { ...facts, ttl }, nowSeconds), dsTtlSeconds };
}

/** Undefined if no DS record was seen during the step. */
function longestDsTtl({ dsTtlSeconds = 0 }: Rollover, look: ParentLook | undefined): number | undefined {
  const seen = look?.kind === 'asked' ? Math.min(look.sight.maxTtl, MAX_SEEN_TTL_SECONDS) : 0;
  return Math.max(seen, dsTtlSeconds) || undefined;
}

/** Rows of one query: a few milliseconds. */
const TTL_ROWS = 5000;

/**
 * Caches may also have sets that were changed or removed meanwhile, with TTLs that nobody knows any more. Resolvers keep
 * few sets for longer than a day.
 */
const SHORTEST_LONGEST_TTL_SECONDS = 86_400;

async function findLongestTtl(domain: Domain, signing: SigningReads): Promise<number> {
  let longest = SHORTEST_LONGEST_TTL_SECONDS;
  let lastId: string | null = '';
  while (lastId !== null) {
    const found = await signing.longestTtl(domain, TTL_ROWS, lastId);
    longest = Math.max(longest, found.seconds);
    ({ lastId } = found);
  }
  return longest;
}
