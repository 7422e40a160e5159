/** Nothing was committed; trying again is safe. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** As above, since there is too much to do; the message is for whoever asked. */
export class StoreBusy extends StoreUnavailable {}

/** The connection was lost at the commit, and whether it was done cannot be found out: no answer may be given. */
export class CommitInDoubt extends Error {
  override readonly name = 'CommitInDoubt';
}
