import { formatWantedDs, readDs } from '../match-ds.ts';
import { describeLeavingKeys, describeMovingAway } from './leaving-step.ts';
import { describeRollover } from './rollover-step.ts';
import type { SigningProgress } from './signing-facts.ts';
import { enter, listSome, quote, reasonOf, these, verb, who, zoneOf, type StepFacts } from './step-facts.ts';

/** Says what the owner of a domain has to do next, in sentences without a final full stop. */
export function describeNextStep(facts: StepFacts): string {
  const { silent } = facts.sorted;
  const step = describeStep(facts);
  if (silent.length === 0 || facts.look.kind !== 'asked') return step;
  return `${step}. It is not known what ${listSome(silent)} of the parent zone ${facts.look.sight.parent} ${verb(silent)}`;
}

function describeStep(facts: StepFacts): string {
  switch (facts.state) {
    case 'unsigned':
      return describeUnsigned(facts);
    case 'signing':
      return describeSigning(facts);
    case 'bogus':
      return describeBogus(facts);
    case 'waiting_for_ds':
      return describeWait(facts);
    case 'secure':
      return describeLeavingKeys(facts) ?? describeSecure(facts);
    case 'moving_away':
      return describeMovingAway(facts);
    case 'signed':
      return `${enter(facts)}, unless it is there already: it is not known what the parent zone has, because ${reasonOf(facts)}`;
    case 'rolling':
      return facts.work === null ? describeRollover(facts) : describeResigning(facts.work);
    case 'going_insecure':
      return describeRollover(facts);
  }
}

function describeUnsigned({ domain, sorted, look }: StepFacts): string {
  const begin = `Nothing has to be done: ${domain} is not signed`;
  if (sorted.lacking.length > 0)
    return `${begin}, and the parent zone ${zoneOf(sorted)} has no DS record for it`;
  const reason = reasonOf({ look });
  return `${begin}. It is not known whether the parent zone has a DS record, because ${reason}`;
}

/** The DS record is not to be entered before the signatures are served. */
function describeSigning({ domain, work }: StepFacts): string {
  if (work === null) return `Nothing has to be done but wait: ${domain} is being signed`;
  if (work.problem !== null) return `${domain} cannot be signed before this is changed: ${work.problem}`;
  return `Nothing has to be done but wait: ${domain} is being signed, which is ${percentOf(work)} done. Then its DS record is shown here`;
}

function describeResigning(work: SigningProgress): string {
  return `Nothing has to be done but wait: the signatures of the domain are being made again, which is ${percentOf(work)} done. Then the exchange of the key goes on`;
}

function percentOf({ done, total }: SigningProgress): string {
  return `${total === 0 ? 0 : Math.floor((100 * done) / total)} %`;
}

function describeBogus(facts: StepFacts): string {
  const { sorted, wanted, roles } = facts;
  if (wanted.length === 0) return describeUnexpected(facts, roles.rollover !== null);
  if (sorted.stray.length > 0) return describeReplacement(facts);
  return `${enter(facts)}: ${who(facts, sorted.wrong)} ${verb(sorted.wrong)} only that of another provider, so validating resolvers reject answers from here`;
}

/** An old DS record blocks in silence: the owner sees only that some people cannot reach the domain. */
function describeUnexpected(facts: StepFacts, isWithdrawn: boolean): string {
  const { domain, sorted, hosted } = facts;
  const { stray, wrong } = sorted;
  const remove =
    hosted === undefined
      ? `Have ${these(stray)} removed at the registrar`
      : `Delete ${these(stray)} in your domain ${hosted.domain}`;
  const has = `${remove}: ${who(facts, wrong)} ${verb(wrong)} ${quote(stray)}`;
  if (isWithdrawn) {
    const belong = stray.length === 1 ? 'belongs' : 'belong';
    return `${has}, which ${belong} to no key of ${domain}, so validating resolvers reject its answers. Signing ends when no DS record is left`;
  }
  return (
    `${has}, but ${domain} is not signed here, so validating resolvers reject all of its answers from here. Or turn ` +
    `signing on, and replace it with the DS record of the new key`
  );
}

function describeReplacement(facts: StepFacts): string {
  const { wrong, stray, having } = facts.sorted;
  const belong = stray.length === 1 ? 'belongs' : 'belong';
  const effect =
    `${who(facts, wrong)} ${verb(wrong)} ${quote(stray)}, which ${belong} to no key that is in use, so ` +
    `validating resolvers reject its answers`;
  if (having.length === 0) return `${enter(facts, true)}; ${effect}`;
  return `Wait until all servers have the new DS record, if it has replaced ${these(stray)}: ${effect}`;
}

function describeWait(facts: StepFacts): string {
  const { sorted, wanted, hosted } = facts;
  const { having, lacking } = sorted;
  if (lacking.length === 0) return describeIncomplete(facts);
  const isWritten = hosted !== undefined && wanted.every((ds) => hosted.ds.includes(ds));
  if (having.length === 0 && !isWritten) {
    return (
      `${enter(facts)}. First wait until all nameservers serve the signed domain and the longest TTL of its records has ` +
      `passed, so that no cache has unsigned answers`
    );
  }
  const has = isWritten ? `your domain ${hosted.domain} has` : `${listSome(having)} ${verb(having)}`;
  const wait = `Nothing has to be done but wait: ${has} the DS record, and ${who(facts, lacking)} ${verb(lacking, 'does', 'do')} not have it yet`;
  return isWritten ? `${wait}; if that lasts, ${hosted.domain} is not delegated to this service` : wait;
}

/** Answers of the other provider can be validated only with a DS record of its key (RFC 8901 section 3). */
function describeIncomplete(facts: StepFacts): string {
  const { sorted, name } = facts;
  const { absent, incomplete } = sorted;
  const isWritten = facts.hosted !== undefined && facts.wanted.every((ds) => facts.hosted?.ds.includes(ds));
  const lack = `${who(facts, incomplete)} ${verb(incomplete, 'lacks', 'lack')} a DS record`;
  if (isWritten)
    return `Nothing has to be done but wait: your domain ${facts.hosted.domain} has all DS records, and ${lack}`;
  const wanted = absent.map((key) => formatWantedDs(name, key));
  return `${enter({ ...facts, wanted })}; ${lack}, and until all have it, resolvers can reject answers of the other provider`;
}

/** With a DS record of an algorithm that signs nothing, some resolvers reject the zone (RFC 6840 section 5.11). */
function describeSecure({ sorted, wanted }: StepFacts): string {
  const { stray } = sorted;
  if (stray.length === 0) return 'Nothing has to be done';
  const used = wanted.map((ds) => readDs(ds).algorithm);
  const isOther = stray.some((ds) => !used.includes(readDs(ds).algorithm));
  const why = isOther
    ? 'its algorithm signs nothing here, and some resolvers reject a domain because of that'
    : 'it is of no use';
  return `Have ${these(stray)} removed: the parent zone ${zoneOf(sorted)} has ${quote(stray)} besides the right one; ${why}`;
}
