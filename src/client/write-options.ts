import type { DryRunJson, WarningJson } from '../contract/response-shapes.ts';

export interface DryRunOption {
  /** Changes nothing; the answer describes what would change. */
  readonly dryRun?: boolean | undefined;
}

/** Options of a write to a domain or record. */
export interface WriteOptions extends DryRunOption {
  /** An ETag: the write is refused (412) unless the domain still has this revision. */
  readonly ifMatch?: string | undefined;
  /** An ETag: the write is refused (412) if the domain has this revision. `*`: it is refused if the domain exists. */
  readonly ifNoneMatch?: string | undefined;
  /** The result has the warnings that a check would give about the change; creating records and batches only. */
  readonly warnings?: boolean | undefined;
  /** A note for the history, up to 500 characters. */
  readonly note?: string | undefined;
  /**
   * Makes it safe to send a POST again later, after no answer came: the same request with the same key is carried out once. By
   * default each call has a new one.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a write that is not a dry run. */
export type Real<O extends DryRunOption> = O & { readonly dryRun?: false | undefined };

/** The result of a write, or of its dry run: for a domain, the changes that it would make. */
export type WriteResult<T, O extends DryRunOption, Plan = DryRunJson> = O extends { readonly dryRun: true }
  ? Plan
  : O extends Real<WriteOptions>
    ? T
    : T | Plan;

export interface Written {
  /** The domain's serial that includes the write; undefined if the service sent none. */
  readonly serial: number | undefined;
  /** The domain's revision after the write, for `ifMatch`; undefined if the service sent none. */
  readonly etag: string | undefined;
  /** Present if warnings were asked for and there are some. */
  readonly warnings?: WarningJson[];
  /** The number of warnings that did not fit; present if there are some. */
  readonly moreWarnings?: number;
}

export interface Created<T> extends Written {
  readonly value: T;
  /** False if it existed already (contract rules 17, 26). */
  readonly created: boolean;
}

/** Distinguishes the answer to a dry run from that to a write to a domain. */
export function isDryRun(result: unknown): result is DryRunJson {
  return typeof result === 'object' && result !== null && (result as { dry_run?: unknown }).dry_run === true;
}
