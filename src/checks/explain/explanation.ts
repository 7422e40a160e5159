/** The parts of an explanation: the answer of the nameserver to a question, and the records that make it so. */
import type { DomainName } from '../../dns/name.ts';
import type { Domain } from '../../model/domain.ts';
import type { OwnerKey } from '../../model/record.ts';

/** A domain, as far as its answers depend on it. */
export interface ExplainedZone extends Pick<Domain, 'name'> {
  /** Null: it is not known. */
  readonly isSigned: boolean | null;
  /** Host names that are served as NS records of the domain itself if it has none. */
  readonly nameservers: readonly string[];
}

export interface ExplainedQuestion {
  readonly owner: OwnerKey;
  readonly type: number;
}

/** A record of a name. */
export interface NamedRecord {
  readonly id: string;
  readonly type: number;
  /** The name in the data of CNAME, DNAME and NS records. */
  readonly target?: DomainName | undefined;
}

/** Reads the few names that an answer depends on. */
export interface NameReader {
  /** @param limit if the name has more records, any so many of them are returned */
  recordsAt(owner: OwnerKey, limit: number): Promise<readonly NamedRecord[]>;
  /** Whether there are records below the name; undefined if that is not known. */
  hasNamesBelow(owner: OwnerKey): Promise<boolean | undefined>;
}

export interface Explanation {
  /** Null where the records do not tell it. */
  readonly prediction: Prediction | null;
  readonly steps: readonly ExplainedStep[];
}

export interface Prediction {
  readonly rcode: number;
  /** The sets of the answer section. */
  readonly answer: readonly PredictedSet[];
}

export interface PredictedSet {
  /** Lower case, without the final dot. */
  readonly name: string;
  readonly type: number;
}

/** A step from the question to the answer. */
export interface ExplainedStep {
  readonly code: ExplainedStepCode;
  /** The name that it is about: lower case, without the final dot. */
  readonly name: string;
  /** A sentence without a full stop. */
  readonly message: string;
  /** Ids of the records that made it. */
  readonly records: readonly string[];
}

export type ExplainedStepCode =
  | 'withheld'
  | 'other_domain'
  | 'exact_match'
  | 'made_by_service'
  | 'made_by_signing'
  | 'wildcard'
  | 'cname'
  | 'dname'
  | 'leaves_domain'
  | 'alias_loop'
  | 'alias_chain_long'
  | 'name_too_long'
  | 'delegation'
  | 'glue'
  | 'occluded'
  | 'empty_non_terminal'
  | 'no_such_name'
  | 'no_such_type'
  | 'not_known'
  | 'signed'
  | 'unsigned';
