// Facts about other domains, which a check needs. The caller reads them; the checks only use them.
import type { OwnerKey } from '../model/record.ts';

/** The records of a name in another domain that is hosted here. */
export interface NameFacts {
  readonly types: ReadonlySet<number>;
  readonly hasSpf: boolean;
}

export interface ZoneFacts {
  /** Names of other domains as they are compared, without the final dot. Names that are not listed are unknown. */
  readonly names: ReadonlyMap<string, NameFacts>;
  /** The apexes of domains that are hosted here inside the zone, relative to it. */
  readonly domainsBelow: ReadonlySet<OwnerKey>;
  /** The nearest domain above the zone that is hosted here; undefined if there is none. */
  readonly parent: ParentFacts | undefined;
}

export interface ParentFacts {
  readonly name: string;
  /** Types of its records at the zone's name, without those that belong to a delegation. */
  readonly hiddenTypes: readonly number[];
}

export const noFacts: ZoneFacts = { names: new Map(), domainsBelow: new Set(), parent: undefined };
