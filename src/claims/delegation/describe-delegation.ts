/** Describes how a domain is delegated, and the next step of its owner, in words. Pure. */
import type { GlueAddress, ServerDelegation } from '../../dns-client/ask-delegation.ts';
import { formatWantedDs } from '../../signer/match-ds.ts';
import { isSameSet } from '../find-proof.ts';
import type { DelegationFacts, DelegationProblem, DelegationState } from './delegation-facts.ts';
import { findDelegationProblems } from './find-delegation-problems.ts';

export interface DelegationStatus {
  readonly state: DelegationState;
  /** A sentence for people, without a full stop. */
  readonly nextStep: string;
  /** Null if it is not known. */
  readonly parent: string | null;
  readonly expected: {
    readonly nameservers: readonly string[];
    readonly glue: readonly GlueAddress[];
    /** RDATA in presentation format. */
    readonly ds: readonly string[];
  };
  readonly servers: readonly ServerDelegation[];
  readonly problems: readonly DelegationProblem[];
  /** Null if nobody was asked. */
  readonly lookedAtMs: number | null;
}

export function describeDelegation(facts: DelegationFacts): DelegationStatus {
  const { look, expected, name } = facts;
  const state = findState(facts);
  const problems = findDelegationProblems(facts);
  const isKnown = look.kind === 'asked';
  return {
    state,
    nextStep: findNextStep(facts, state, problems),
    parent: isKnown ? look.sight.parent : null,
    expected: {
      nameservers: expected.nameservers,
      glue: expected.glue,
      ds: expected.isInWork ? [] : expected.announced.map((key) => formatWantedDs(name, key)),
    },
    servers: isKnown ? look.sight.servers : [],
    problems,
    lookedAtMs: isKnown ? look.atMs : null,
  };
}

/** Servers without a usable answer say nothing. */
function findState({ look, expected }: DelegationFacts): DelegationState {
  const servers = look.kind === 'asked' ? look.sight.servers : [];
  const sets = servers.flatMap((server) => ('nameservers' in server ? [server.nameservers] : []));
  if (sets.length === 0) return 'no_parent_answer';
  if (sets.every((set) => set.length === 0)) return 'not_delegated';
  if (sets.every((set) => isSameSet(set, expected.nameservers))) return 'delegated';
  const isForeign = (set: readonly string[]): boolean =>
    set.length > 0 && !set.some((name) => expected.nameservers.includes(name));
  return sets.every(isForeign) ? 'elsewhere' : 'partly';
}

function findNextStep(
  facts: DelegationFacts,
  state: DelegationState,
  problems: readonly DelegationProblem[],
): string {
  const { domain, isServed, expected } = facts;
  const has = (code: DelegationProblem['code']): boolean => problems.some((problem) => problem.code === code);
  if (!isServed) return `Show control of ${domain} first: zonewright domain verify ${domain} says how`;
  if (has('nameserver_placeholder'))
    return 'Ask the operator of this service for the names of its nameservers, and put them into the NS records of the domain';
  switch (state) {
    case 'no_parent_answer':
      return `Look again later. Then tell the registrar of ${domain} these nameservers, if it does not have them: ${listWanted(facts)}`;
    case 'not_delegated':
      return `Register ${domain} if that is not done, and tell the registrar these nameservers: ${listWanted(facts)}`;
    case 'elsewhere':
      return `${firstRemoveDs(has('ds_unexpected'))}Tell the registrar of ${domain} to replace its nameservers by these: ${listWanted(facts)}`;
    case 'partly':
      return `Tell the registrar of ${domain} exactly these nameservers: ${listWanted(facts)}. If that is done, wait until all servers of the parent zone have them`;
    case 'delegated':
      break;
  }
  if (has('glue_missing') || has('glue_unexpected'))
    return `Tell the registrar of ${domain} these addresses of its nameservers: ${listGlue(expected.glue)}`;
  if (has('ds_unexpected') || has('ds_missing'))
    return `The nameservers are right. For the DS record, zonewright domain dnssec status ${domain} says the next step`;
  if (has('ds_unknown'))
    return 'The nameservers are right. Some servers of the parent zone did not say which DS records they have: look again later';
  if (has('server_without_answer'))
    return 'All servers of the parent zone that answered are right. Some did not answer: look again later';
  return 'Nothing has to be done';
}

/** Resolvers reject all answers of a domain whose DS records are of another signer. */
function firstRemoveDs(isLeft: boolean): string {
  return isLeft
    ? 'First have the DS records of the old provider removed, and wait until their TTL has passed. '
    : '';
}

function listWanted({ expected }: DelegationFacts): string {
  const { nameservers, glue } = expected;
  const names = nameservers.join(', ');
  return glue.length === 0 ? names : `${names}, with the addresses ${listGlue(glue)}`;
}

function listGlue(glue: readonly GlueAddress[]): string {
  return glue.map(({ name, address }) => `${name} ${address}`).join(', ');
}
