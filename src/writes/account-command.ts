// The commands about the life of accounts: suspension, deletion, and what the service does about both.
import type { Account } from '../model/account.ts';
import type { AccountStanding, Suspension } from '../model/account-standing.ts';
import type { AccountWrite } from './author.ts';

export type AccountLifeCommand =
  | (AccountWrite & {
      /** Also changes reason and answers of an account that is suspended. */
      readonly kind: 'suspendAccount';
      readonly accountId: string;
      readonly suspension: Suspension;
    })
  | (AccountWrite & { readonly kind: 'resumeAccount'; readonly accountId: string })
  | (AccountWrite & {
      readonly kind: 'deleteAccount';
      readonly accountId: string;
      /** The name of the account, as its owner has typed it; null: nobody had to. */
      readonly typedName: string | null;
      readonly atMs: number;
      readonly heldUntilMs: number;
    })
  | (AccountWrite & { readonly kind: 'restoreAccount'; readonly accountId: string })
  | {
      /** Withholds the next domains of an account, or has them served again; the service itself asks for it. */
      readonly kind: 'sweepDomains';
      readonly author?: undefined;
      readonly dryRun?: true | undefined;
      readonly accountId: string;
      /** As it was seen: if it is another one meanwhile, nothing is changed. */
      readonly seen: AccountStanding;
      readonly atMs: number;
    }
  | {
      /** Removes the next part of a deleted account whose time has passed; the service itself asks for it. */
      readonly kind: 'removeAccount';
      readonly author?: undefined;
      readonly dryRun?: true | undefined;
      readonly accountId: string;
      readonly seen: AccountStanding;
      readonly atMs: number;
    };

export interface AccountSlice {
  /** Whether the standing of the account was the one that was seen. */
  readonly moved: boolean;
  /** As it is now; null: the account is gone. */
  readonly account: Account | null;
}

/** The value that each kind of command results in. */
export interface AccountLifeValues {
  readonly suspendAccount: Account;
  readonly resumeAccount: Account;
  readonly deleteAccount: Account;
  readonly restoreAccount: Account;
  readonly sweepDomains: AccountSlice;
  readonly removeAccount: AccountSlice;
}
