/** Nothing was committed; trying again is safe. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** Overloaded: nothing was committed; the message is shown to the client. */
export class StoreBusy extends StoreUnavailable {}

/** The database answers, but does not accept this user; the operator has to change a setting on either side. */
export class LoginRefused extends StoreUnavailable {}

/** The connection was lost during the commit, and its result cannot be determined: no answer may be given. */
export class CommitInDoubt extends Error {
  override readonly name = 'CommitInDoubt';
}
