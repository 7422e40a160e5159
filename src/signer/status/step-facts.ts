/** The facts from which the sentences about the next step are made, and the parts that they share. */
import { readDs } from '../match-ds.ts';
import { OWNER } from '../owner-look.ts';
import type { KeyRoles, SigningFacts, SigningState } from './signing-facts.ts';
import type { SortedServers } from './sort-servers.ts';

export interface StepFacts extends Pick<
  SigningFacts,
  'domain' | 'name' | 'look' | 'keySets' | 'hosted' | 'work'
> {
  readonly state: SigningState;
  readonly roles: KeyRoles;
  /** RDATA of DS records in presentation format. */
  readonly wanted: readonly string[];
  readonly sorted: SortedServers;
}

/** The step that brings the DS records to the parent zone. @param isReplacing others have to go at the same time */
export function enter({ domain, wanted, hosted }: StepFacts, isReplacing = false): string {
  const replacing = isReplacing ? ' in place of the old DS record' : '';
  if (hosted !== undefined) {
    const command = `zonewright domain dnssec publish ${domain}${isReplacing ? ' --replace' : ''}`;
    return hosted.isDelegated
      ? `Run "${command}", which writes the DS record into your domain ${hosted.domain}${replacing}`
      : `Create the NS records of ${domain} in your domain ${hosted.domain}, then run "${command}", which writes the DS record there${replacing}`;
  }
  const records = wanted.map((ds) => {
    const { tag, algorithm, digestType, digest } = readDs(ds);
    return `key tag ${tag}, algorithm ${algorithm}, digest type ${digestType}, digest ${digest}`;
  });
  return `Enter this DS record at the registrar of ${domain}${replacing}: ${records.join('; and ')}`;
}

/** Why it is not known what the parent zone has. */
export function reasonOf({ look }: Pick<StepFacts, 'look'>): string {
  return look.kind === 'unknown' ? look.reason : 'none of its servers gave a usable answer';
}

/** Servers of the parent zone, or the domain that is the parent zone, if its content is all that is known. */
export function who({ sorted, hosted }: StepFacts, names: readonly string[]): string {
  const isStored = hosted !== undefined && names.length === 1 && names[0] === hosted.domain;
  if (names.length === 1 && names[0] === OWNER)
    return `the parent zone ${zoneOf(sorted)}, as its owner has said,`;
  return isStored
    ? `your domain ${hosted.domain}`
    : `${listSome(names)} of the parent zone ${zoneOf(sorted)}`;
}

export function zoneOf({ parent }: SortedServers): string {
  return parent ?? '';
}

export function these(records: readonly string[]): string {
  return records.length === 1 ? 'the old DS record' : 'the old DS records';
}

export function quote(records: readonly string[]): string {
  return `the DS record${records.length === 1 ? '' : 's'} ${listSome(records)}`;
}

export function verb(names: readonly string[], one = 'has', more = 'have'): string {
  return names.length === 1 ? one : more;
}

/** Names of customers are in a text that ends: the first few of them. */
export function listSome(names: readonly string[]): string {
  const more = names.length - MAX_SHOWN;
  const shown = names.slice(0, MAX_SHOWN);
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}

const MAX_SHOWN = 5;
