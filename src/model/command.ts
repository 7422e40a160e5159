import type { Account, ApiKey } from './account.ts';
import type { Domain, ZoneName } from './domain.ts';
import type { DomainRecord } from './record.ts';
import type { RecordPatch } from './record-patch.ts';
import type { RecordRules } from './record-rules.ts';
import type { Outcome } from './refusal.ts';

/** Who asks and when: what the feed keeps with every change. */
export interface Author {
  readonly accountId: string;
  readonly keyId: string;
  readonly atMs: number;
}

/**
 * A write, checked as far as it can be without the store, as plain data (it crosses threads). The store queues it,
 * loads what it touches, lets `decide` judge it inside the batch, and commits.
 */
export type Command =
  | {
      readonly kind: 'createAccount';
      readonly account: Account;
      readonly key: ApiKey;
      /** Refused where there is any account: of processes that start together one creates it. */
      readonly onlyFirst?: true;
    }
  | { readonly kind: 'createKey'; readonly key: ApiKey }
  | { readonly kind: 'revokeKey'; readonly accountId: string | null; readonly keyId: string }
  | {
      readonly kind: 'createDomain';
      readonly author: Author;
      readonly name: ZoneName;
      /** The address record that `ip` asks for, or null. */
      readonly address: DomainRecord | null;
      /** The service's own apex NS records. */
      readonly nameservers: readonly DomainRecord[];
    }
  | {
      readonly kind: 'updateDomain';
      readonly author: Author;
      readonly name: ZoneName;
      /** Undefined leaves it as it is. */
      readonly soaPrimary?: string;
      readonly soaEmail?: string;
    }
  | { readonly kind: 'deleteDomain'; readonly author: Author; readonly name: ZoneName }
  | {
      readonly kind: 'createRecord';
      readonly author: Author;
      readonly domain: ZoneName;
      readonly record: DomainRecord;
    }
  | {
      readonly kind: 'updateRecord';
      readonly author: Author;
      readonly domain: ZoneName;
      readonly recordId: string;
      readonly patch: RecordPatch;
      readonly rules: RecordRules;
    }
  | {
      readonly kind: 'deleteRecord';
      readonly author: Author;
      readonly domain: ZoneName;
      readonly recordId: string;
    };

export type CommandKind = Command['kind'];

export type CommandOf<K extends CommandKind> = Extract<Command, { readonly kind: K }>;

/** What each command answers with when it is done. */
export interface CommandResults {
  readonly createAccount: Account;
  readonly createKey: ApiKey;
  readonly revokeKey: null;
  readonly createDomain: Domain;
  readonly updateDomain: Domain;
  readonly deleteDomain: null;
  readonly createRecord: DomainRecord;
  readonly updateRecord: DomainRecord;
  readonly deleteRecord: null;
}

export type CommandOutcome<C extends Command> = Outcome<CommandResults[C['kind']]>;
