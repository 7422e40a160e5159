/** Says what a rollover or the withdrawal of signing waits for, and what the owner of the domain has to do about it. */
import { assert } from '../../base/assert.ts';
import type { Rollover, RolloverKind, RolloverStep } from '../../dnssec/rollover.ts';
import { namesKey } from '../match-ds.ts';
import { isUncertain } from '../rollover/obstacles.ts';
import { findAnswering, findSeenObstacles, serversOf } from './seen-look.ts';
import { describeShared } from './other-providers-step.ts';
import { enter, listSome, quote, reasonOf, these, verb, who, zoneOf, type StepFacts } from './step-facts.ts';

const NOTHING = 'Nothing has to be done but wait';

/** Sentences without a final full stop. A rollover is in progress. */
export function describeRollover(facts: StepFacts): string {
  const { rollover } = facts.roles;
  assert(rollover !== null, 'a rollover is in progress');
  const step = describeProgress(facts, rollover);
  if (rollover.isHeld !== true) return step;
  return `Run "zonewright domain dnssec resume ${facts.domain}" when the service may go on: it is held, and nothing goes on by itself. The step without that: ${step}`;
}

function describeProgress(facts: StepFacts, rollover: Rollover): string {
  if (rollover.kind === 'withdrawal') return describeWithdrawal(facts, rollover);
  const usual = rollover.step === 'announced' ? describeAnnounced(facts, rollover) : describeServed(rollover);
  const step = rollover.kind === 'shared' ? describeShared(facts, rollover, usual) : usual;
  const { stray } = facts.sorted;
  if (stray.length === 0) return step;
  return `${step}. Besides, have ${these(stray)} removed: the parent zone ${zoneOf(facts.sorted)} has ${quote(stray)}, which ${verb(stray, 'is', 'are')} of no use`;
}

interface ServedStep {
  readonly now: string;
  /** The condition; absent: that all nameservers have the serial. */
  readonly met?: string;
  readonly ttl: string;
  readonly next: string;
}

const KEYS_TTL = 'the TTL of its DNSKEY records';
const LONGEST_TTL = 'the longest TTL of its records, a day at least,';
const EXCHANGE = 'the DS record at the parent zone has to be replaced';

/** Steps that wait for the nameservers of the domain. */
const servedSteps: Readonly<Partial<Record<RolloverKind, Partial<Record<RolloverStep, ServedStep>>>>> = {
  key: {
    published: { now: 'the new key is published beside the old one', ttl: KEYS_TTL, next: EXCHANGE },
    signed: { now: 'the new key signs the domain', ttl: LONGEST_TTL, next: 'the old key is removed' },
  },
  shared: {
    published: {
      now: 'the new key is published beside the old one',
      met: 'all nameservers, those of the other providers included, publish both',
      ttl: KEYS_TTL,
      next: EXCHANGE,
    },
    signed: { now: 'the new key signs the domain', ttl: LONGEST_TTL, next: 'the old key is removed' },
    unpublished: {
      now: 'the old key is removed here',
      met: 'no nameserver publishes it any more',
      ttl: 'a minute',
      next: 'the exchange of the key ends',
    },
  },
  algorithm: {
    signing: {
      now: 'the new key signs the domain beside the old one',
      ttl: LONGEST_TTL,
      next: 'the new key is published',
    },
    published: { now: 'the new key is published beside the old one', ttl: KEYS_TTL, next: EXCHANGE },
    unpublished: {
      now: 'the old key is no longer published',
      ttl: KEYS_TTL,
      next: 'its signatures are removed',
    },
  },
};

function describeServed({ kind, step, serial, untilSeconds }: Rollover): string {
  const known = servedSteps[kind]?.[step];
  assert(known !== undefined, `the step ${step} waits for nameservers`);
  const { now, met = `all nameservers serve serial ${serial}`, ttl, next } = known;
  return untilSeconds === null
    ? `${NOTHING}: ${now}. Once ${met} and ${ttl} has passed, ${next}`
    : `${NOTHING} until ${formatTime(untilSeconds)}: ${now}, and ${ttl} has to pass. Then ${next}`;
}

/** The new DS record has to take the place of the old one. */
function describeAnnounced(facts: StepFacts, rollover: Rollover): string {
  const { roles, sorted } = facts;
  const exchange = { incoming: roles.wanted, outgoing: roles.outgoing };
  const obstacles = findSeenObstacles(facts, exchange);
  if (rollover.untilSeconds !== null && obstacles.every(isUncertain)) {
    const next =
      rollover.kind === 'algorithm' ? 'the old key is no longer published' : 'the new key signs the domain';
    return `${NOTHING} until ${formatTime(rollover.untilSeconds)}: the parent zone has the new DS record, and the TTL of the old one has to pass. Then ${next}`;
  }
  const missing = serversOf(obstacles, 'ds_missing');
  const left = serversOf(obstacles, 'ds_left');
  const arrived = findAnswering(facts).filter((server) => !missing.includes(server));
  if (missing.length > 0) return describeMissing(facts, { missing, left, arrived });
  if (left.length > 0) {
    return `${removeOld(facts)}: ${who(facts, left)} still ${verb(left)} it besides the new one`;
  }
  if (arrived.length === 0) return describeUnknown(facts);
  const all = obstacles.length === 0 ? 'all servers' : 'the servers that answered';
  const noted = obstacles.length === 0 ? 'The service notes it within minutes' : 'All others have to answer';
  return `${NOTHING}: ${all} of the parent zone ${zoneOf(sorted)} have the new DS record and not the old one. ${noted}, then the TTL of the old one has to pass`;
}

interface Exchange {
  /** Servers of the parent zone that lack the new DS record, that have the old one, and that have the new one. */
  readonly missing: readonly string[];
  readonly left: readonly string[];
  readonly arrived: readonly string[];
}

function describeMissing(facts: StepFacts, { missing, left, arrived }: Exchange): string {
  const { hosted } = facts;
  const isWritten = isExchangedHere(facts);
  if (!isWritten && (arrived.length === 0 || hosted !== undefined)) {
    const still =
      left.length === 0
        ? `${who(facts, missing)} ${verb(missing)} no DS record`
        : `${who(facts, left)} still ${verb(left)} the old one`;
    return `${enter(facts, left.length > 0)}; ${still}`;
  }
  const has =
    isWritten && hosted !== undefined
      ? `your domain ${hosted.domain} has`
      : `${listSome(arrived)} ${verb(arrived)}`;
  return `${NOTHING}: ${has} the new DS record, and ${who(facts, missing)} ${verb(missing, 'does', 'do')} not have it yet`;
}

function describeUnknown(facts: StepFacts): string {
  return `${enter(facts, true)}, unless it is there already. It is not known what the parent zone has, because ${reasonOf(facts)}, and the rollover waits for that${sayHowToTell(facts)}`;
}

/** Whether the parent zone is hosted here and has the new DS record in place of the old one. */
function isExchangedHere({ hosted, wanted, name, roles }: StepFacts): boolean {
  if (hosted === undefined) return false;
  const { ds } = hosted;
  return wanted.every((one) => ds.includes(one)) && !ds.some((one) => namesKey(one, name, roles.outgoing));
}

function removeOld({ domain, hosted }: StepFacts): string {
  return hosted === undefined
    ? `Have the old DS record removed at the registrar of ${domain}`
    : `Run "zonewright domain dnssec publish ${domain} --replace", which removes the old DS record from your domain ${hosted.domain}`;
}

function describeWithdrawal(facts: StepFacts, { untilSeconds }: Rollover): string {
  const { sorted, domain, hosted } = facts;
  const obstacles = findSeenObstacles(facts, { incoming: [], outgoing: 'all' });
  if (untilSeconds !== null && obstacles.every(isUncertain)) {
    return `${NOTHING} until ${formatTime(untilSeconds)}: the parent zone has no DS record of ${domain} any more, and its TTL and that of the DNSKEY records have to pass. Then signing ends`;
  }
  const left = serversOf(obstacles, 'ds_left');
  const stays = `Until it is gone everywhere and TTLs have passed, ${domain} stays signed`;
  if (left.length > 0 && hosted?.ds.length === 0) {
    return `${NOTHING}: your domain ${hosted.domain} has no DS record of ${domain} any more, and ${who(facts, left)} still ${verb(left)} it. ${stays}`;
  }
  if (left.length > 0) return `${removeAll(facts)}: ${who(facts, left)} still ${verb(left)} it. ${stays}`;
  if (findAnswering(facts).length === 0) {
    return `${removeAll(facts)}, unless it is gone already. It is not known what the parent zone has, because ${reasonOf(facts)}, and signing ends only when that is known${sayHowToTell(facts)}`;
  }
  const all = obstacles.length === 0 ? 'no server' : 'none of the servers that answered';
  const noted = obstacles.length === 0 ? 'The service notes it within minutes' : 'All others have to answer';
  return `${NOTHING}: ${all} of the parent zone ${zoneOf(sorted)} has a DS record of ${domain}. ${noted}, then its TTL and that of the DNSKEY records have to pass`;
}

/** The words of the owner count where nobody can be asked. */
function sayHowToTell({ domain, look }: StepFacts): string {
  if (look.kind === 'unknown' && look.isBusy === true) return '';
  return `: "zonewright domain dnssec seen ${domain}" tells it`;
}

function removeAll({ domain, hosted }: StepFacts): string {
  return hosted === undefined
    ? `Have the DS record of ${domain} removed at the registrar`
    : `Delete the DS record of ${domain} in your domain ${hosted.domain}`;
}

/** `2026-11-24 09:03:31 UTC`. */
function formatTime(seconds: number): string {
  return `${new Date(1000 * seconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
