/** Says what is left to do when one of several providers leaves (RFC 8901 section 6): another one, or this service. */
import { formatWantedDs } from '../match-ds.ts';
import type { SignedKey } from './signing-facts.ts';
import { findAnswering, findSeenObstacles, serversOf } from './seen-look.ts';
import { enter, listSome, quote, reasonOf, verb, who, type StepFacts } from './step-facts.ts';

/** The own key is no longer announced: the domain moves to the providers whose keys are. */
export function describeMovingAway(facts: StepFacts): string {
  const { domain, name, roles, sorted } = facts;
  const own = roles.outgoing.map((key) => formatWantedDs(name, key));
  const back = `Should ${domain} stay here, announce its own key again`;
  if (findAnswering(facts).length === 0) {
    return `Have ${quote(own)} removed at the parent zone, once the nameservers at the registrar are those of the other provider, unless it is gone already. It is not known what the parent zone has, because ${reasonOf(facts)}. ${back}`;
  }
  const lacking = [...sorted.lacking, ...sorted.incomplete];
  if (lacking.length > 0) {
    return `${enter(facts)}: ${who(facts, lacking)} ${verb(lacking, 'does', 'do')} not have it, and without it resolvers reject answers of the other provider. ${back}`;
  }
  const left = serversOf(findSeenObstacles(facts, { incoming: [], outgoing: roles.outgoing }), 'ds_left');
  if (left.length > 0) {
    return `Change the nameservers at the registrar to those of the other provider, if that is not done. When the TTL of the delegation and the longest TTL of the records have passed, have ${quote(own)} removed, which CDS and CDNSKEY ask for: ${who(facts, left)} still ${verb(left)} it. ${back}`;
  }
  return `Once the nameservers at the registrar are those of the other provider and the TTL of the removed DS record has passed, delete ${domain} here: the parent zone has only DS records of the other provider, so resolvers reject answers from here. ${back}`;
}

/** Keys of another provider that are no longer announced. Undefined if there are none. */
export function describeLeavingKeys(facts: StepFacts): string | undefined {
  const { name, roles, domain } = facts;
  const { leaving } = roles;
  if (leaving.length === 0) return undefined;
  const left = serversOf(findSeenObstacles(facts, { incoming: [], outgoing: leaving }), 'ds_left');
  const keys = leaving.length === 1 ? 'the key' : 'the keys';
  const remove = `remove ${keys} ${listSome(leaving.map(showKey))} of the other provider from ${domain}`;
  if (left.length > 0) {
    const ds = leaving.map((key) => formatWantedDs(name, key));
    return `Have ${quote(ds)} removed at the parent zone, which CDS and CDNSKEY ask for: ${who(facts, left)} still ${verb(left)} it. When it is gone everywhere and its TTL has passed, ${remove}`;
  }
  return `When the TTL of the removed DS record has passed and no nameserver of the other provider is left, ${remove}: the parent zone has no DS record of it any more`;
}

function showKey({ tag }: SignedKey): string {
  return String(tag);
}
