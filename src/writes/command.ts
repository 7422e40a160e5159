import type { Account, ApiKey } from '../model/account.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import type { DomainRecord, SentRecord } from '../model/record.ts';
import type { RecordChanges, RecordsChanged } from '../model/record-changes.ts';
import type { RecordPatch } from '../model/record-patch.ts';
import type { RecordRules } from '../model/record-rules.ts';
import type { WriteResult, WriteSuccess } from '../model/result.ts';
import type { SoaFields } from '../model/soa.ts';

/** Who asks and when: what the feed keeps with every change. */
export interface Author {
  readonly accountId: string;
  readonly keyId: string;
  readonly atMs: number;
  /** The client's network address. */
  readonly address?: string | undefined;
  /** The client's words for the change, at most `MAX_NOTE_CHARACTERS`. */
  readonly note?: string | undefined;
  /** A repeat with the same key gets the first result again, and nothing is done twice. */
  readonly idempotency?: IdempotencyKey | undefined;
}

export interface IdempotencyKey {
  /** The client's; belongs to its API key. */
  readonly key: string;
  /** Tells the request from others. */
  readonly hash: string;
}

/** What every command carries that writes to a domain. */
export interface DomainWrite {
  readonly author: Author;
  /** Revisions (`revisionOf`), one of which the domain must have, or `*`: any, if it is there. Refused otherwise. */
  readonly ifMatch?: readonly string[] | undefined;
  /** Revisions that the domain must not have, or `*`: it must not be there. Refused otherwise. */
  readonly ifNoneMatch?: readonly string[] | undefined;
  /** Decided and taken back: the result says what would have changed. */
  readonly dryRun?: true | undefined;
}

/** What every command carries that writes to accounts and keys. */
export interface AccountWrite {
  /** None opens the first account: nobody is there yet. */
  readonly author?: Author | undefined;
  /** As of a `DomainWrite`, without a difference: the value is what would have been made or removed. */
  readonly dryRun?: true | undefined;
}

/** A new key, as it goes into the store and as a repeat of the request gets it back. */
export interface SealedKey {
  readonly key: ApiKey;
  /** The key's own text, for whoever repeats the request; whoever has the store alone cannot read it. */
  readonly sealed?: string | undefined;
}

/** A new account with its first key. */
export interface SealedAccount extends SealedKey {
  readonly account: Account;
}

/**
 * A write, checked as far as it can be without the store, as plain data (it crosses threads). The store queues it,
 * loads what it touches, lets `decide` judge it inside the batch, and commits.
 */
export type Command =
  | (AccountWrite &
      SealedAccount & {
        readonly kind: 'createAccount';
        /** Refused where there is any account: of processes that start together one creates it. */
        readonly onlyFirst?: true;
      })
  | (AccountWrite & SealedKey & { readonly kind: 'createKey' })
  | (AccountWrite & {
      readonly kind: 'revokeKey';
      readonly accountId: string | null;
      readonly keyId: string;
    })
  | (DomainWrite & {
      readonly kind: 'createDomain';
      readonly name: ZoneName;
      /** The address record that `ip` asks for, or null. */
      readonly address: DomainRecord | null;
      /** The service's own apex NS records. */
      readonly nameservers: readonly DomainRecord[];
    })
  | (DomainWrite & {
      readonly kind: 'updateDomain';
      readonly name: ZoneName;
      /** Undefined leaves it as it is. */
      readonly soaPrimary?: string;
      readonly soaEmail?: string;
    })
  | (DomainWrite & { readonly kind: 'deleteDomain'; readonly name: ZoneName })
  | (DomainWrite & {
      readonly kind: 'restoreDomain';
      readonly name: ZoneName;
      /** The former id of one that the account deleted, within the history kept; undefined: the one deleted last. */
      readonly id?: number | undefined;
    })
  | (DomainWrite & {
      readonly kind: 'createRecord';
      readonly domain: ZoneName;
      readonly record: SentRecord;
    })
  | (DomainWrite & {
      readonly kind: 'updateRecord';
      readonly domain: ZoneName;
      readonly recordId: string;
      readonly patch: RecordPatch;
      readonly rules: RecordRules;
    })
  | (DomainWrite & {
      readonly kind: 'deleteRecord';
      readonly domain: ZoneName;
      readonly recordId: string;
    })
  | (DomainWrite & {
      readonly kind: 'changeRecords';
      readonly domain: ZoneName;
      /** At most `MAX_CHANGES`. */
      readonly changes: RecordChanges;
      readonly rules: RecordRules;
    })
  | (DomainWrite & {
      readonly kind: 'importZone';
      readonly domain: ZoneName;
      /** At most `MAX_ZONE_RECORDS`. The id of one that is there already is not used. */
      readonly records: readonly SentRecord[];
      /** `replace`: the domain holds these and its apex NS records afterwards; `merge`: what else it holds stays. */
      readonly mode: 'replace' | 'merge';
      /** What is given is taken over; null: the SOA stays. */
      readonly soa: SoaFields | null;
      /** A domain that is not there is created first, with these apex NS records of the service; undefined: refused. */
      readonly nameservers?: readonly DomainRecord[] | undefined;
    })
  | (DomainWrite & {
      readonly kind: 'revertRecords';
      readonly domain: ZoneName;
      /** A serial the domain had: records and SOA fields become what they were then. */
      readonly to: number;
    });

export type CommandKind = Command['kind'];

export type CommandOf<K extends CommandKind> = Extract<Command, { readonly kind: K }>;

/** The value that each kind of command results in. */
export interface CommandValues {
  readonly createAccount: SealedAccount;
  readonly createKey: SealedKey;
  /** The key that was. */
  readonly revokeKey: ApiKey;
  readonly createDomain: Domain;
  readonly updateDomain: Domain;
  readonly deleteDomain: null;
  readonly createRecord: DomainRecord;
  readonly updateRecord: DomainRecord;
  readonly deleteRecord: null;
  readonly changeRecords: RecordsChanged;
  readonly importZone: RecordsChanged;
  readonly revertRecords: RecordsChanged;
  readonly restoreDomain: Domain;
}

/** What a command that was not refused results in. */
export type CommandSuccess = WriteSuccess<CommandValues[CommandKind]>;

export type CommandResult<C extends Command> = WriteResult<CommandValues[C['kind']]>;
