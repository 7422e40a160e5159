/**
 * Says how a domain is signed and what its owner has to do next: from its keys, the rollover that is noted on them, and the
 * DS records at its parent zone.
 *
 *     keys of the domain ─▶ their roles ─▶ DS records wanted ┐
 *     servers of the parent zone ─▶ DS records seen ─────────┴▶ sorted servers ─▶ state ─▶ next step in words
 */
import type { ServerDs } from '../../dns-client/ask-ds.ts';
import type { Rollover } from '../../dnssec/rollover.ts';
import { hasUse, isHeldElsewhere, keyUse } from '../../dnssec/zone-key.ts';
import { formatWantedDs } from '../match-ds.ts';
import { describeNextStep } from './next-step.ts';
import {
  findKeyRoles,
  isLeaving,
  type KeyRoles,
  type SignedKey,
  type SigningFacts,
  type SigningState,
} from './signing-facts.ts';
import { sortServers, type SortedServers } from './sort-servers.ts';

export interface SigningStatus {
  readonly state: SigningState;
  /** Sentences without a final full stop. */
  readonly nextStep: string;
  /** RDATA of DS records in presentation format; empty for an unsigned domain, and while signing is withdrawn. */
  readonly wanted: readonly string[];
  readonly seen: readonly SeenDs[];
  /** When the servers were asked; null if they were not. */
  readonly checkedAtMs: number | null;
  /** The rollover or withdrawal in progress. */
  readonly rollover: Rollover | null;
}

/** The DS records at one address of a nameserver of the parent zone, or why they are not known. */
export type SeenDs = { readonly server: string; readonly address: string | null } & (
  { readonly ds: readonly string[] } | { readonly problem: string }
);

export function describeSigning(facts: SigningFacts): SigningStatus {
  const { domain, name, look, keySets, hosted, work } = facts;
  const roles = findKeyRoles(facts);
  const wanted = roles.wanted.map((key) => formatWantedDs(name, key));
  const sorted = sortServers(facts, roles);
  const state = findState(facts, sorted, roles);
  const nextStep = describeNextStep({
    ...{ domain, name, look, keySets, hosted, work },
    ...{ state, roles, wanted, sorted },
  });
  const isAsked = look.kind === 'asked';
  return {
    state,
    nextStep,
    wanted: wanted.toSorted(),
    seen: isAsked ? look.sight.servers.map(showServer) : [],
    checkedAtMs: isAsked ? look.atMs : null,
    rollover: roles.rollover,
  };
}

/**
 * - `active`: the parent zone has, or has to have, its DS record; or it is another provider's key that never has one.
 * - `publishing`: it comes in by a rollover; its DS record is not asked for yet.
 * - `retiring`: its DS record has to go; in a rollover, that of the new key takes its place.
 */
export type KeyState = 'active' | 'publishing' | 'retiring';

export function keyStateOf(key: Pick<SignedKey, 'flags' | 'uses' | 'rollover' | 'origin'>): KeyState {
  if (key.origin === 'foreign') return isLeaving(key) ? 'retiring' : 'active';
  if (hasUse(key, keyUse.ANNOUNCED) || isHeldElsewhere(key)) return 'active';
  return key.rollover === null ? 'retiring' : 'publishing';
}

function findState(
  { isSigned, isWithdrawn, work }: SigningFacts,
  { having, lacking, wrong, incomplete }: SortedServers,
  { rollover, isMovingAway }: KeyRoles,
): SigningState {
  if (wrong.length > 0) return 'bogus';
  if (!isSigned) return work?.kind === 'sign' ? 'signing' : 'unsigned';
  if (isWithdrawn) return 'going_insecure';
  if (rollover !== null) return 'rolling';
  if (isMovingAway) return 'moving_away';
  if (lacking.length > 0 || incomplete.length > 0) return 'waiting_for_ds';
  return having.length > 0 ? 'secure' : 'signed';
}

function showServer(server: ServerDs): SeenDs {
  const { name, address = null } = server;
  return 'ds' in server
    ? { server: name, address, ds: server.ds }
    : { server: name, address, problem: server.problem.message };
}
