/**
 * Says what the owner of a domain has to do at other providers that sign it, too, while its own key is exchanged (RFC 8901
 * model 2): each publishes the DNSKEY records of all.
 */
import { assert } from '../../base/assert.ts';
import type { Rollover, RolloverStep } from '../../dnssec/rollover.ts';
import { findKeySetObstacles, type KeySetCondition } from '../rollover/key-set-obstacles.ts';
import type { Obstacle } from '../rollover/obstacles.ts';
import { listSome, verb, type StepFacts } from './step-facts.ts';

const conditions: Readonly<Partial<Record<RolloverStep, KeySetCondition>>> = {
  published: 'both_published',
  announced: 'new_announced',
  signed: 'new_signs',
  unpublished: 'old_gone',
};

/**
 * Sentences without a final full stop. What has to be done at other providers comes first.
 *
 * @param usual what the step waits for here and at the parent zone
 */
export function describeShared(facts: StepFacts, rollover: Rollover, usual: string): string {
  const obstacles = findObstacles(facts, rollover);
  const wishes = [
    ...describeMissing(facts, obstacles),
    ...describeLeft(facts, obstacles),
    ...describeCds(obstacles),
    ...describeSigners(facts, obstacles),
  ];
  const keep =
    rollover.step === 'signed' ? ['Until then, the other providers have to publish the old key as well'] : [];
  const rest = wishes.length === 0 ? usual : usual.replace(/^Nothing has/, 'Besides, nothing has');
  return [...wishes, rest, ...keep, ...describeOld(obstacles), ...describeSilent(obstacles)].join('. ');
}

function findObstacles({ name, keySets, roles }: StepFacts, { step, serial }: Rollover): readonly Obstacle[] {
  const condition = conditions[step];
  assert(condition !== undefined, `the step ${step} waits for other providers`);
  const { own, foreign } = roles;
  const incoming = own.filter(({ rollover }) => rollover !== null);
  const outgoing = own.filter(({ rollover }) => rollover === null);
  return findKeySetObstacles(condition, keySets, { name, serial, incoming, outgoing, foreign });
}

function describeMissing({ domain }: StepFacts, obstacles: readonly Obstacle[]): readonly string[] {
  const { servers, keys } = keysOf(obstacles, 'key_missing');
  if (servers.length === 0) return [];
  const lack = verb(servers, 'does', 'do');
  return [
    `Have ${records(keys)} published by the other providers that sign ${domain}: ${listSome(keys)}. ${listSome(servers)} ${lack} not have ${verb(keys, 'it', 'them')} yet`,
  ];
}

function describeLeft({ domain }: StepFacts, obstacles: readonly Obstacle[]): readonly string[] {
  const { servers, keys } = keysOf(obstacles, 'key_left');
  if (servers.length === 0) return [];
  return [
    `Have ${records(keys)} removed by the other providers that sign ${domain}: ${listSome(keys)}. ${listSome(servers)} still ${verb(servers)} ${verb(keys, 'it', 'them')}`,
  ];
}

function describeCds(obstacles: readonly Obstacle[]): readonly string[] {
  const servers = serversOf(obstacles, 'old_cds');
  if (servers.length === 0) return [];
  return [
    `Have the CDS and CDNSKEY records of the other providers ask for the DS record of the new key, and no longer for that of the old one: ${listSome(servers)} ${verb(servers, 'asks', 'ask')} for others, and a registry that reads them would bring the old DS record back`,
  ];
}

function describeSigners({ domain }: StepFacts, obstacles: readonly Obstacle[]): readonly string[] {
  const servers = serversOf(obstacles, 'unknown_signer');
  if (servers.length === 0) return [];
  return [
    `Add the keys with which ${listSome(servers)} ${verb(servers, 'signs', 'sign')} to ${domain}, or have ${verb(servers, 'that nameserver', 'these nameservers')} removed: resolvers can reject ${verb(servers, 'its', 'their')} answers`,
  ];
}

/** Secondaries of this service, which fetch the new version by themselves. */
function describeOld(obstacles: readonly Obstacle[]): readonly string[] {
  const servers = serversOf(obstacles, 'old_serial');
  if (servers.length === 0) return [];
  return [`${listSome(servers)} still ${verb(servers, 'serves', 'serve')} an earlier version`];
}

/** One reason is enough: the same servers are usually silent for the same one. */
function describeSilent(obstacles: readonly Obstacle[]): readonly string[] {
  const reasons = obstacles.flatMap((one) => ('reason' in one ? [one.reason] : []));
  if (reasons.length === 0) return [];
  const [reason] = reasons;
  const servers = serversOf(obstacles, 'silent');
  if (servers.length === 0) return [`It is not known which keys the nameservers publish, because ${reason}`];
  return [
    `It is not known which keys ${listSome(servers)} ${verb(servers, 'publishes', 'publish')}: ${reason}`,
  ];
}

function keysOf(
  obstacles: readonly Obstacle[],
  kind: 'key_missing' | 'key_left',
): { readonly servers: readonly string[]; readonly keys: readonly string[] } {
  const keys = obstacles.flatMap((one) => (one.kind === kind && 'keys' in one ? one.keys : []));
  return { servers: serversOf(obstacles, kind), keys: [...new Set(keys)] };
}

function serversOf(obstacles: readonly Obstacle[], kind: Obstacle['kind']): readonly string[] {
  const names = obstacles.flatMap((one) => (one.kind === kind && 'server' in one ? [one.server] : []));
  return [...new Set(names)];
}

function records(keys: readonly string[]): string {
  return keys.length === 1 ? 'this DNSKEY record' : 'these DNSKEY records';
}
