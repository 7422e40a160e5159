/**
 * Decides how a rollover goes on, from what nameservers and parent zone were seen to have:
 *
 *     condition met by every server ─▶ note the end of the TTL that follows ─▶ time over, still met ─▶ finish the step
 *                ▲                                     │
 *                └──── a server contradicts it again ──┘
 *
 * A server that does not answer never moves a rollover on, and never sets it back.
 */
import { assert } from '../../base/assert.ts';
import type { DomainName } from '../../dns/name.ts';
import type { Rollover, RolloverKind, rolloverSteps, RolloverStep } from '../../dnssec/rollover.ts';
import type { NamedKey } from '../match-ds.ts';
import type { ParentLook } from '../parent-looks.ts';
import type { KeySetLook } from '../key-set-looks.ts';
import { findKeySetObstacles, type KeySetCondition } from './key-set-obstacles.ts';
import { findDsObstacles, findOldSerials, isUncertain, type Obstacle, type SerialLook } from './obstacles.ts';

export interface RolloverFacts {
  /** The domain, in lower case. */
  readonly name: DomainName;
  /** Needed for steps that `asksParent` does not name; undefined if the nameservers of the domain were not asked. */
  readonly serials: SerialLook | undefined;
  /** Needed for steps that `asksParent` names; undefined if the parent zone was not asked. */
  readonly look: ParentLook | undefined;
  /** Needed for steps that `asksKeySets` names; undefined if the nameservers were not asked for their keys. */
  readonly keySets?: KeySetLook | undefined;
  /** Keys of other providers that sign the domain, too; absent: none. */
  readonly foreign?: readonly NamedKey[];
  /** The keys whose DS records have to be at the parent zone. Not used in a withdrawal. */
  readonly incoming: readonly NamedKey[];
  /** The keys whose DS records must be gone. Not used in a withdrawal, for which no DS record at all may be left. */
  readonly outgoing: readonly NamedKey[];
  readonly ttl: RolloverTtls;
}

/** Seconds for which resolvers may keep what they have. */
export interface RolloverTtls {
  /** The TTL of the DNSKEY set. */
  readonly keys: number;
  /** The longest TTL of the zone, also of sets that have changed since the step began. */
  readonly longest: number;
  /** The longest TTL with which the parent zone was seen to have DS records in earlier looks; null if in none. */
  readonly ds: number | null;
}

/**
 * - `wait`: nothing changes. `untilSeconds` is that of the rollover; if it is a number and `why` is empty, only time is lacking.
 * - `note`: the rollover gets this `untilSeconds`. It is null, with the reasons, if the condition is no longer met.
 * - `finish`: the next step follows.
 */
export type RolloverAction =
  | {
      readonly kind: 'wait' | 'note';
      readonly untilSeconds: number | null;
      readonly why: readonly Obstacle[];
    }
  | { readonly kind: 'finish' };

/** The TTL of DS records at a parent zone that was never seen to have any: one day, as at large registries. */
export const UNSEEN_DS_TTL_SECONDS = 86_400;

/**
 * The longest TTL that a step waits for, of those that others choose. RFC 8767 section 4 suggests that resolvers keep nothing
 * longer; anybody can run a parent zone with TTLs of 136 years.
 */
export const MAX_SEEN_TTL_SECONDS = 7 * 86_400;

/** Whether the step waits for DS records at the parent zone; otherwise it waits for the nameservers of the domain. */
export function asksParent(rollover: Pick<Rollover, 'kind' | 'step'>): boolean {
  return ruleOf(rollover).condition !== 'serial';
}

/** Whether the step waits, besides, for what all nameservers of the domain publish, those of other providers included. */
export function asksKeySets(rollover: Pick<Rollover, 'kind' | 'step'>): boolean {
  return ruleOf(rollover).keySets !== undefined;
}

/** Whether the step ends only when the longest TTL of the zone has passed. */
export function waitsForLongestTtl(rollover: Pick<Rollover, 'kind' | 'step'>): boolean {
  return ruleOf(rollover).ttls.includes('longest');
}

export function nextAction(rollover: Rollover, facts: RolloverFacts, nowSeconds: number): RolloverAction {
  const { untilSeconds } = rollover;
  const why = findObstacles(rollover, facts);
  if (why.length > 0) {
    const isRefuted = untilSeconds !== null && !why.every(isUncertain);
    return isRefuted ? { kind: 'note', untilSeconds: null, why } : { kind: 'wait', untilSeconds, why };
  }
  if (untilSeconds === null) {
    return { kind: 'note', untilSeconds: nowSeconds + ttlAfter(rollover, facts), why };
  }
  return nowSeconds < untilSeconds ? { kind: 'wait', untilSeconds, why } : { kind: 'finish' };
}

function findObstacles(rollover: Rollover, facts: RolloverFacts): readonly Obstacle[] {
  const { keySets: condition } = ruleOf(rollover);
  const found = findOwnObstacles(rollover, facts);
  if (condition === undefined) return found;
  const { keySets, foreign = [] } = facts;
  const exchange = { ...facts, foreign, serial: rollover.serial };
  return [...found, ...findKeySetObstacles(condition, keySets, exchange)];
}

function findOwnObstacles(rollover: Rollover, facts: RolloverFacts): readonly Obstacle[] {
  const { name, look, serials, incoming, outgoing } = facts;
  const { condition, keySets } = ruleOf(rollover);
  switch (condition) {
    case 'serial':
      // The nameservers in the zone count by their keys then, and there may be no others.
      if (keySets !== undefined && serials?.kind === 'asked' && serials.servers.length === 0) return [];
      return findOldSerials(serials, rollover.serial);
    case 'ds_exchanged':
      return findDsObstacles(look, { name, incoming, outgoing });
    case 'ds_gone':
      return findDsObstacles(look, { name, incoming: [], outgoing: 'all' });
  }
}

function ttlAfter(rollover: Rollover, { ttl, look, keySets }: RolloverFacts): number {
  const seconds = { ...ttl, ds: dsTtl(ttl.ds, look), keys: Math.max(ttl.keys, seenKeysTtl(keySets)) };
  return ruleOf(rollover).ttls.reduce((sum, kind) => sum + seconds[kind], 0);
}

/** Other providers choose the TTL of their DNSKEY records. */
function seenKeysTtl(look: KeySetLook | undefined): number {
  const servers = look?.kind === 'asked' ? look.sight : [];
  const seen = servers.map((server) => ('keysTtl' in server ? server.keysTtl : 0));
  return Math.min(MAX_SEEN_TTL_SECONDS, Math.max(0, ...seen));
}

function dsTtl(earlier: number | null, look: ParentLook | undefined): number {
  const servers = look?.kind === 'asked' ? look.sight.servers : [];
  const seen = servers.flatMap((server) => ('ds' in server && server.ds.length > 0 ? [server.ttl] : []));
  if (earlier !== null) seen.push(earlier);
  return seen.length === 0 ? UNSEEN_DS_TTL_SECONDS : Math.min(MAX_SEEN_TTL_SECONDS, Math.max(...seen));
}

/**
 * - `serial`: every nameserver has the serial with which the step began; in a domain of several providers, those of this
 *   service, and `keySets` is about all others.
 * - `ds_exchanged`: every server of the parent zone has the new DS records and none has an old one.
 * - `ds_gone`: no server of the parent zone has a DS record.
 */
interface StepRule {
  readonly condition: 'serial' | 'ds_exchanged' | 'ds_gone';
  /** The TTLs that have to pass, one after the other, once the condition is met. */
  readonly ttls: readonly (keyof RolloverTtls)[];
  /** The further condition for all nameservers of a domain of several providers. */
  readonly keySets?: KeySetCondition;
}

const stepRules: {
  readonly [K in RolloverKind]: Readonly<Record<(typeof rolloverSteps)[K][number], StepRule>>;
} = {
  key: {
    published: { condition: 'serial', ttls: ['keys'] },
    announced: { condition: 'ds_exchanged', ttls: ['ds'] },
    signed: { condition: 'serial', ttls: ['longest'] },
  },
  shared: {
    published: { condition: 'serial', ttls: ['keys'], keySets: 'both_published' },
    announced: { condition: 'ds_exchanged', ttls: ['ds'], keySets: 'new_announced' },
    signed: { condition: 'serial', ttls: ['longest'], keySets: 'new_signs' },
    unpublished: { condition: 'serial', ttls: [], keySets: 'old_gone' },
  },
  algorithm: {
    signing: { condition: 'serial', ttls: ['longest'] },
    published: { condition: 'serial', ttls: ['keys'] },
    announced: { condition: 'ds_exchanged', ttls: ['ds'] },
    unpublished: { condition: 'serial', ttls: ['keys'] },
  },
  withdrawal: {
    // Just before a resolver forgets the DS records, it may validate the keys once more, and then expects signatures.
    withdrawing: { condition: 'ds_gone', ttls: ['ds', 'keys'] },
  },
};

function ruleOf({ kind, step }: Pick<Rollover, 'kind' | 'step'>): StepRule {
  const rules: Readonly<Partial<Record<RolloverStep, StepRule>>> = stepRules[kind];
  const rule = rules[step];
  assert(rule !== undefined, `a rollover of the kind ${kind} has no step ${step}`);
  return rule;
}
