/**
 * Says how a domain is signed and what its owner has to do next: from its keys and from the DS records at its parent zone,
 * without any history.
 *
 *     keys of the domain ─▶ DS records wanted ┐
 *     servers of the parent zone ─▶ DS seen ──┴▶ sorted servers ─▶ state ─▶ next step in words
 */
import type { ServerDs } from '../dns-client/ask-ds.ts';
import { formatWantedDs } from './match-ds.ts';
import { describeNextStep } from './next-step.ts';
import type { SigningFacts, SigningState } from './signing-facts.ts';
import { sortServers, type SortedServers } from './sort-servers.ts';

export interface SigningStatus {
  readonly state: SigningState;
  /** Sentences without a final full stop. */
  readonly nextStep: string;
  /** RDATA of DS records in presentation format; empty for an unsigned domain. */
  readonly wanted: readonly string[];
  readonly seen: readonly SeenDs[];
  /** When the servers were asked; null if they were not. */
  readonly checkedAtMs: number | null;
}

/** The DS records at one address of a nameserver of the parent zone, or why they are not known. */
export type SeenDs = { readonly server: string; readonly address: string | null } & (
  { readonly ds: readonly string[] } | { readonly problem: string }
);

export function describeSigning(facts: SigningFacts): SigningStatus {
  const { name, isSigned, keys, look } = facts;
  const usedKeys = isSigned ? keys : [];
  const wanted = usedKeys.map((key) => formatWantedDs(name, key));
  const sorted = sortServers(facts, usedKeys);
  const state = findState(isSigned, sorted);
  const nextStep = describeNextStep({
    domain: facts.domain,
    state,
    wanted,
    sorted,
    look,
    hosted: facts.hosted,
  });
  const isAsked = look.kind === 'asked';
  return {
    state,
    nextStep,
    wanted,
    seen: isAsked ? look.parent.servers.map(showServer) : [],
    checkedAtMs: isAsked ? look.atMs : null,
  };
}

function findState(isSigned: boolean, { having, lacking, wrong }: SortedServers): SigningState {
  if (wrong.length > 0) return 'bogus';
  if (!isSigned) return 'unsigned';
  if (lacking.length > 0) return 'waiting_for_ds';
  return having.length > 0 ? 'secure' : 'signed';
}

function showServer(server: ServerDs): SeenDs {
  const { name, address = null } = server;
  return 'ds' in server
    ? { server: name, address, ds: server.ds }
    : { server: name, address, problem: server.problem.message };
}
