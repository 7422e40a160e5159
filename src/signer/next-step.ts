import type { ParentLook } from './parent-looks.ts';
import { readDs } from './match-ds.ts';
import type { HostedParent, SigningState } from './signing-facts.ts';
import type { SortedServers } from './sort-servers.ts';

export interface StepFacts {
  readonly domain: string;
  readonly state: SigningState;
  readonly wanted: readonly string[];
  readonly sorted: SortedServers;
  readonly look: ParentLook;
  readonly hosted: HostedParent | undefined;
}

/** Says what the owner of a domain has to do next, in sentences without a final full stop. */
export function describeNextStep(facts: StepFacts): string {
  const { silent } = facts.sorted;
  const step = describeStep(facts);
  if (silent.length === 0 || facts.look.kind !== 'asked') return step;
  return `${step}. It is not known what ${listSome(silent)} of the parent zone ${facts.look.parent.parent} ${silent.length === 1 ? 'has' : 'have'}`;
}

function describeStep(facts: StepFacts): string {
  switch (facts.state) {
    case 'unsigned':
      return describeUnsigned(facts);
    case 'bogus':
      return facts.wanted.length === 0 ? describeUnexpected(facts) : describeReplacement(facts);
    case 'waiting_for_ds':
      return describeWait(facts);
    case 'secure':
      return describeSecure(facts);
    case 'signed':
      return `${enter(facts)}, unless it is there already: it is not known what the parent zone has, because ${reasonOf(facts)}`;
  }
}

function describeUnsigned({ domain, sorted, look }: StepFacts): string {
  const begin = `Nothing has to be done: ${domain} is not signed`;
  if (sorted.lacking.length > 0)
    return `${begin}, and the parent zone ${zoneOf(sorted)} has no DS record for it`;
  const reason = look.kind === 'unknown' ? look.reason : 'none of its servers gave a usable answer';
  return `${begin}. It is not known whether the parent zone has a DS record, because ${reason}`;
}

/** An old DS record blocks in silence: the owner sees only that some people cannot reach the domain. */
function describeUnexpected(facts: StepFacts): string {
  const { domain, sorted, hosted } = facts;
  const { foreign, wrong } = sorted;
  const remove =
    hosted === undefined
      ? `Have ${these(foreign)} removed at the registrar`
      : `Delete ${these(foreign)} in your domain ${hosted.domain}`;
  return (
    `${remove}: ${who(facts, wrong)} ${verb(wrong)} ${quote(foreign)}, but ${domain} is not signed here, so validating ` +
    `resolvers reject all of its answers from here. Or turn signing on, and replace it with the DS record of the new key`
  );
}

function describeReplacement(facts: StepFacts): string {
  const { wrong, foreign, having } = facts.sorted;
  const belong = foreign.length === 1 ? 'belongs' : 'belong';
  const effect =
    `${who(facts, wrong)} ${verb(wrong)} ${quote(foreign)}, which ${belong} to none of the keys of this domain, so ` +
    `validating resolvers reject its answers`;
  if (having.length === 0) return `${enter(facts)} in place of ${these(foreign)}: ${effect}`;
  return `Wait until all servers have the new DS record, if it has replaced ${these(foreign)}: ${effect}`;
}

function describeWait(facts: StepFacts): string {
  const { sorted, wanted, hosted } = facts;
  const { having, lacking } = sorted;
  const isWritten = hosted !== undefined && wanted.every((ds) => hosted.ds.includes(ds));
  if (having.length === 0 && !isWritten) {
    return (
      `${enter(facts)}. First wait until all nameservers serve the signed domain and the longest TTL of its records has ` +
      `passed, so that no cache has unsigned answers`
    );
  }
  const has = isWritten ? `your domain ${hosted.domain} has` : `${listSome(having)} ${verb(having)}`;
  const wait = `Nothing has to be done but wait: ${has} the DS record, and ${who(facts, lacking)} ${lacking.length === 1 ? 'does' : 'do'} not have it yet`;
  return isWritten ? `${wait}; if that lasts, ${hosted.domain} is not delegated to this service` : wait;
}

/** With a DS record of an algorithm that signs nothing, some resolvers reject the zone (RFC 6840 section 5.11). */
function describeSecure({ sorted, wanted }: StepFacts): string {
  const { foreign } = sorted;
  if (foreign.length === 0) return 'Nothing has to be done';
  const used = wanted.map((ds) => readDs(ds).algorithm);
  const isOther = foreign.some((ds) => !used.includes(readDs(ds).algorithm));
  const why = isOther
    ? 'its algorithm signs nothing here, and some resolvers reject a domain because of that'
    : 'it is of no use';
  return `Have ${these(foreign)} removed: the parent zone ${zoneOf(sorted)} has ${quote(foreign)} besides the right one; ${why}`;
}

/** The step that brings the DS record to the parent zone. */
function enter({ domain, wanted, hosted }: StepFacts): string {
  if (hosted !== undefined) {
    const command = `zonewright domain dnssec publish ${domain}`;
    return hosted.isDelegated
      ? `Run "${command}", which writes the DS record into your domain ${hosted.domain}`
      : `Create the NS records of ${domain} in your domain ${hosted.domain}, then run "${command}", which writes the DS record there`;
  }
  const records = wanted.map((ds) => {
    const { tag, algorithm, digestType, digest } = readDs(ds);
    return `key tag ${tag}, algorithm ${algorithm}, digest type ${digestType}, digest ${digest}`;
  });
  return `Enter this DS record at the registrar of ${domain}: ${records.join('; and ')}`;
}

function reasonOf({ look }: StepFacts): string {
  return look.kind === 'unknown' ? look.reason : 'none of its servers gave a usable answer';
}

/** Servers of the parent zone, or the domain that is the parent zone, if its content is all that is known. */
function who({ sorted, hosted }: StepFacts, names: readonly string[]): string {
  const isStored = hosted !== undefined && names.length === 1 && names[0] === hosted.domain;
  return isStored
    ? `your domain ${hosted.domain}`
    : `${listSome(names)} of the parent zone ${zoneOf(sorted)}`;
}

function zoneOf({ parent }: SortedServers): string {
  return parent ?? '';
}

function these(records: readonly string[]): string {
  return records.length === 1 ? 'the old DS record' : 'the old DS records';
}

function quote(records: readonly string[]): string {
  return `the DS record${records.length === 1 ? '' : 's'} ${listSome(records)}`;
}

function verb(names: readonly string[]): string {
  return names.length === 1 ? 'has' : 'have';
}

/** Names of customers are in a text that ends: the first few of them. */
function listSome(names: readonly string[]): string {
  const more = names.length - MAX_SHOWN;
  const shown = names.slice(0, MAX_SHOWN);
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}

const MAX_SHOWN = 5;
