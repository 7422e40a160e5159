import type { DryRunJson } from '../contract/response-shapes.ts';

/** What any write may carry besides its body. */
export interface DryRunOption {
  /** Nothing is changed; the answer is what would be. */
  readonly dryRun?: boolean | undefined;
}

/** What a write to a domain or record may carry. */
export interface WriteOptions extends DryRunOption {
  /** An ETag: the write is refused (412) unless the domain still has this revision. */
  readonly ifMatch?: string | undefined;
  /** An ETag, or `*`: the write is refused (412) if the domain has this revision, or is there at all. */
  readonly ifNoneMatch?: string | undefined;
  /** Why, for the history: up to 500 characters. */
  readonly note?: string | undefined;
}

/** Options of what is carried out. */
export type Real<O extends DryRunOption> = O & { readonly dryRun?: false | undefined };

/** What a write resolves with: its own result, or what it would do: of a domain, the difference it would make. */
export type WriteResult<T, O extends DryRunOption, Plan = DryRunJson> = O extends { readonly dryRun: true }
  ? Plan
  : O extends Real<WriteOptions>
    ? T
    : T | Plan;

export interface Written {
  /** The domain's serial with the write in it; undefined where the service does not say it. */
  readonly serial: number | undefined;
  /** The domain's revision with the write in it, for `ifMatch`; undefined where the service does not say it. */
  readonly etag: string | undefined;
}

export interface Created<T> extends Written {
  readonly value: T;
  /** False where a repeat found it already there (contract rules 17, 26). */
  readonly created: boolean;
}

/** Tells a dry run's answer from that of a write to a domain. */
export function isDryRun(result: unknown): result is DryRunJson {
  return typeof result === 'object' && result !== null && (result as { dry_run?: unknown }).dry_run === true;
}
