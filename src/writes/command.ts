import type { OwnerSeen, Rollover, RolloverStep } from '../dnssec/rollover.ts';
import type { PublicZoneKey, ZoneKey } from '../dnssec/zone-key.ts';
import type { Denial } from '../dns/proven-types.ts';
import type { Account, ApiKey } from '../model/account.ts';
import type { LimitOverrides } from '../model/account-limits.ts';
import type { ClaimProof } from '../model/claim.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import type { DomainRecord, SentRecord } from '../model/record.ts';
import type { RecordChanges, RecordsChanged } from '../model/record-changes.ts';
import type { RecordPatch } from '../model/record-patch.ts';
import type { RenewedSignatures } from './signing/renew-signatures.ts';
import type { Rights } from '../model/rights.ts';
import type { RecordRules } from '../model/record-rules.ts';
import type { WriteResult, WriteSuccess } from '../model/result.ts';
import type { SigningWork } from '../model/signing-work.ts';
import type { SoaFields } from '../model/soa.ts';
import type { TrailEntry } from '../model/trail-entry.ts';
import type { AccountLifeCommand, AccountLifeValues } from './account-command.ts';
import { serviceAuthor, type AccountWrite, type Author } from './author.ts';
import type { PeopleCommand, PeopleCommandValues, SealedInvitation } from './people-command.ts';
import type { ServingCommand, ServingValues } from './serving-command.ts';

export type { AccountWrite, Author, IdempotencyKey } from './author.ts';

/** The members of every command that writes to a domain. */
export interface DomainWrite {
  readonly author: Author;
  /** Revisions (`revisionOf`), one of which the domain must have; `*` stands for any revision of an existing domain. */
  readonly ifMatch?: readonly string[] | undefined;
  /** Revisions that the domain must not have; with `*` it must not exist. */
  readonly ifNoneMatch?: readonly string[] | undefined;
  /** Decided, then undone: the result says what would change. */
  readonly dryRun?: true | undefined;
}

/** The members of every command that may create a domain, from the scope of the caller's key. */
export interface NameTerms {
  /** The sentence of the refusal if the domain has to be created; absent if the caller may create it. */
  readonly reservation?: string | undefined;
  /** True for administrators: names that are kept for another account may be taken. */
  readonly takesHeldNames?: true | undefined;
  /**
   * How control of a domain that is created was shown. `unverified`: it is withheld, unless it is inside another domain
   * of the account; absent: nobody has to show control of it.
   */
  readonly claim?: ClaimProof | 'unverified' | undefined;
}

/** Signing that is switched on. The key is used if the domain has none. */
export interface SigningEnabled {
  readonly wanted: 'enabled';
  readonly denial: Denial;
  readonly key: ZoneKey;
}

export interface SigningDisabled {
  readonly wanted: 'disabled';
  /** At once: the DS record is gone from the parent zone, or the client accepts an outage for validating resolvers. */
  readonly force: boolean;
  /** The id of the withdrawal; UUIDv7. */
  readonly id: string;
}

export interface SignedSlice {
  /** Whether the work was the one that was seen. */
  readonly moved: boolean;
  /** The work that is left; null: none is. */
  readonly work: SigningWork | null;
}

/** A zone that another signer has signed, without the records that customers can create. Its signatures are verified. */
export interface PresignedPart {
  readonly denial: Denial;
  /** Generated rows that take the place of all former ones. */
  readonly rows: readonly DomainRecord[];
  /** All have the origin `file`. */
  readonly keys: readonly ZoneKey[];
  /** The serial of the SOA record, which is signed. */
  readonly serial: number;
  /** All sets have a valid signature until then, in seconds since 1970. */
  readonly untilSeconds: number;
}

/** A new key, as it is stored and as a repeat of the request gets it. */
export interface SealedKey {
  readonly key: ApiKey;
  /** The encrypted text of the key, for repeats of the request; it cannot be read with the store alone. */
  readonly sealed?: string | undefined;
}

/** A new account with its first key. */
export interface SealedAccount extends SealedKey {
  readonly account: Account;
}

/** A new account without a key, and the invitation of its first owner. */
export interface SealedOwner extends SealedInvitation {
  readonly account: Account;
}

/** An entry whose actor gets its name when it is written. */
export interface UnnamedTrailEntry extends Omit<TrailEntry, 'accountId' | 'actorName'> {
  /** Null: each account of the user who is its object. */
  readonly accountId: string | null;
}

/**
 * A write request inside the service, checked as far as possible without the store. Plain data: it crosses threads. The
 * store queues it, loads the rows it needs, runs `decide` inside a batch, and commits.
 */
export type Command =
  | PeopleCommand
  | ServingCommand
  | AccountLifeCommand
  | (AccountWrite &
      SealedAccount & {
        readonly kind: 'createAccount';
        /** Refused if any account exists: of several processes that start together, one creates the first account. */
        readonly onlyFirst?: true;
      })
  | (AccountWrite & SealedOwner & { readonly kind: 'openAccount' })
  | (AccountWrite & SealedKey & { readonly kind: 'createKey' })
  | (AccountWrite &
      SealedKey & {
        /** A new key takes the place of another one; scope, label and limits of `key` are replaced by those of that one. */
        readonly kind: 'rotateKey';
        readonly accountId: string | null;
        readonly keyId: string;
        /** The rights of the caller, beyond which the key must not go. */
        readonly within: Rights;
        /** The other key is refused from then on; null: it is deleted at once. */
        readonly formerExpiresAtSeconds: number | null;
      })
  | (AccountWrite & {
      readonly kind: 'revokeKey';
      readonly accountId: string | null;
      readonly keyId: string;
    })
  | {
      /** Keys that have been used; the service itself asks for it. */
      readonly kind: 'noteKeyUses';
      readonly author?: undefined;
      readonly dryRun?: true | undefined;
      readonly uses: readonly { readonly keyId: string; readonly atSeconds: number }[];
    }
  | {
      /** Refusals, exports and the like, which commit nothing; the service itself asks for it. */
      readonly kind: 'noteTrail';
      readonly author?: undefined;
      readonly dryRun?: true | undefined;
      readonly entries: readonly UnnamedTrailEntry[];
    }
  | (AccountWrite & {
      readonly kind: 'updateLimits';
      readonly accountId: string;
      /** Replaces all former overrides. */
      readonly overrides: LimitOverrides;
    })
  | (DomainWrite &
      NameTerms & {
        readonly kind: 'createDomain';
        readonly name: ZoneName;
        /** The address record that `ip` asks for, or null. */
        readonly address: DomainRecord | null;
        /** The service's own apex NS records. */
        readonly nameservers: readonly DomainRecord[];
        readonly dnsSec?: SigningEnabled | undefined;
      })
  | (DomainWrite & {
      readonly kind: 'updateDomain';
      readonly name: ZoneName;
      /** Undefined leaves the field unchanged. */
      readonly soaPrimary?: string;
      readonly soaEmail?: string;
      /** Undefined leaves signing as it is. */
      readonly dnsSec?: SigningEnabled | SigningDisabled | undefined;
    })
  | {
      /** Makes signatures again that end soon; the service itself asks for it. */
      readonly kind: 'renewSignatures';
      readonly author?: undefined;
      readonly dryRun?: true | undefined;
      readonly domain: ZoneName;
      /** The place at which the former command ended; undefined for the first one. */
      readonly from?: string | undefined;
    }
  | {
      /** Signs the next slice of a large domain, or removes its rows; the service itself asks for it. */
      readonly kind: 'signSlice';
      readonly author?: undefined;
      readonly dryRun?: true | undefined;
      readonly domain: ZoneName;
      /** As it was seen: if it is another one meanwhile, nothing is changed. */
      readonly work: SigningWork;
    }
  | (DomainWrite & {
      readonly kind: 'startRollover';
      readonly domain: ZoneName;
      /** The id of the rollover; UUIDv7. */
      readonly id: string;
      /** The new key. Its algorithm decides the kind of rollover. */
      readonly key: ZoneKey;
    })
  | {
      /** A rollover or a withdrawal goes on; the service itself asks for it. */
      readonly kind: 'moveRollover';
      readonly author?: undefined;
      readonly dryRun?: true | undefined;
      readonly domain: ZoneName;
      /** That of the rollover. */
      readonly id: string;
      /** The step at which the rollover was seen. */
      readonly step: RolloverStep;
      /** `next`: the step is over. Otherwise the changes of the note. */
      readonly to: 'next' | Pick<Rollover, 'untilSeconds' | 'dsTtlSeconds'>;
    }
  | {
      /** The parent zone has the first DS record of the domain; the service itself asks for it. */
      readonly kind: 'endDsWait';
      readonly author?: undefined;
      readonly dryRun?: true | undefined;
      readonly domain: ZoneName;
      /** The `awaitsDsSinceSeconds` with which it was seen. */
      readonly sinceSeconds: number;
    }
  | {
      /** Brings signalling records (RFC 9615) in line with the domains that they are about; the service itself asks for it. */
      readonly kind: 'updateSignals';
      readonly author?: undefined;
      readonly dryRun?: true | undefined;
      /** The signalling domain: `_signal.` and the name of a nameserver. */
      readonly domain: ZoneName;
      /** The domains whose signalling records are looked at, at most `MAX_SIGNALS_AT_ONCE`. */
      readonly about: readonly ZoneName[];
      /** True if these domains must not be signalled, because others come first. */
      readonly isSurplus: boolean;
      /** UUIDv7 for new records, `IDS_PER_SIGNAL` for each domain. */
      readonly ids: readonly string[];
      readonly atMs: number;
    }
  | (DomainWrite & {
      /** The whole domain is signed again, with another kind of chain. */
      readonly kind: 'changeDenial';
      readonly domain: ZoneName;
      readonly denial: Denial;
    })
  | (DomainWrite & { readonly kind: 'holdRollover'; readonly domain: ZoneName; readonly isHeld: boolean })
  | (DomainWrite & {
      /** The owner says which DS records the parent zone has. */
      readonly kind: 'noteDsSeen';
      readonly domain: ZoneName;
      /** That of the rollover. */
      readonly id: string;
      /** The step that waits for DS records. */
      readonly step: RolloverStep;
      readonly seen: OwnerSeen;
    })
  | (DomainWrite & { readonly kind: 'cancelRollover'; readonly domain: ZoneName; readonly id: string })
  | (DomainWrite & {
      readonly kind: 'addZoneKey';
      readonly domain: ZoneName;
      /** Imported with its private part, or of another provider. */
      readonly key: ZoneKey;
      /** It applies to a domain whose signing begins with the key. */
      readonly denial: Denial;
    })
  | (DomainWrite & { readonly kind: 'removeZoneKey'; readonly domain: ZoneName; readonly keyId: string })
  | (DomainWrite & {
      readonly kind: 'announceZoneKey';
      readonly domain: ZoneName;
      readonly keyId: string;
      /** Whether CDS and CDNSKEY ask for its DS record. */
      readonly isAnnounced: boolean;
    })
  | (DomainWrite & { readonly kind: 'deleteDomain'; readonly name: ZoneName })
  | (DomainWrite &
      NameTerms & {
        readonly kind: 'restoreDomain';
        readonly name: ZoneName;
        /** The id of a domain that the account deleted; undefined for the one that was deleted last. */
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
  | (DomainWrite &
      NameTerms & {
        readonly kind: 'importZone';
        readonly domain: ZoneName;
        /** At most `MAX_ZONE_RECORDS`. Ids are not used for records that exist already. */
        readonly records: readonly SentRecord[];
        /**
         * `merge`: other records stay. `replace`: the domain keeps only these and, unless they are replaced, its apex NS
         * records; see `replacesNameservers`.
         */
        readonly mode: 'replace' | 'merge';
        /** SOA fields to set; null for none. */
        readonly soa: SoaFields | null;
        /** The apex NS records of a domain that does not exist and is created first; undefined: unknown domains are refused. */
        readonly nameservers?: readonly DomainRecord[] | undefined;
        /** The service's nameservers: host names without a final dot, in lower case. */
        readonly serviceNameservers?: readonly string[] | undefined;
        /** The zone was signed elsewhere, and is served as it is; `mode` is `replace`. */
        readonly presigned?: PresignedPart | undefined;
      })
  | (DomainWrite & {
      readonly kind: 'revertRecords';
      readonly domain: ZoneName;
      /** An earlier serial: records and SOA fields become what they were then. */
      readonly to: number;
    });

export type CommandKind = Command['kind'];

export type CommandOf<K extends CommandKind> = Extract<Command, { readonly kind: K }>;

/** Domains by what became of their signalling records; all others had the right ones. */
export interface SignalsUpdated {
  readonly updated: number;
  /** Something else stands at their names, or the names are too long. */
  readonly refused: number;
}

/** The author of what a command writes; null if it adds nothing to the history. */
export function authorOf(command: Command): Author | null {
  if (command.author !== undefined) return command.author;
  return 'atMs' in command ? serviceAuthor(command.atMs) : null;
}

/** The value that each kind of command results in. */
export interface CommandValues extends PeopleCommandValues, ServingValues, AccountLifeValues {
  readonly createAccount: SealedAccount;
  readonly openAccount: SealedOwner;
  readonly createKey: SealedKey;
  readonly rotateKey: SealedKey;
  /** The key that was revoked. */
  readonly revokeKey: ApiKey;
  readonly noteKeyUses: null;
  readonly noteTrail: null;
  readonly updateLimits: null;
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
  readonly renewSignatures: RenewedSignatures;
  readonly signSlice: SignedSlice;
  readonly startRollover: Rollover;
  /** Whether the rollover was at that step. */
  readonly moveRollover: { readonly moved: boolean };
  /** Whether the domain waited since that time. */
  readonly endDsWait: { readonly ended: boolean };
  readonly updateSignals: SignalsUpdated;
  readonly changeDenial: null;
  readonly holdRollover: null;
  readonly noteDsSeen: null;
  readonly cancelRollover: null;
  /** The key as it is stored: that of an earlier command if it was there already. */
  readonly addZoneKey: PublicZoneKey;
  readonly removeZoneKey: null;
  readonly announceZoneKey: null;
}

/** The result of a command that was not refused. */
export type CommandSuccess = WriteSuccess<CommandValues[CommandKind]>;

export type CommandResult<C extends Command> = WriteResult<CommandValues[C['kind']]>;
