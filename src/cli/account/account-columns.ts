import type { AccountJson } from '../../contract/account-shape.ts';
import type { Columns } from '../terminal/print-list.ts';

/** Columns for a dry run, when the account has neither id nor date. */
export const plannedColumns: Columns<AccountJson> = {
  email: (account) => account.email,
  name: (account) => account.name,
};

/** Scripts know the first ones by their places. */
export const accountColumns: Columns<AccountJson> = {
  id: (account) => account.id,
  created: (account) => account.date_created,
  ...plannedColumns,
  state: describeState,
};

/** A service of an earlier version does not say it. */
function describeState(account: Partial<AccountJson>): string {
  const { state = 'active', suspension = null, deletion = null, progress = null } = account;
  const going = progress === null ? '' : `, ${progress.done} of ${progress.total} domains done`;
  if (deletion !== null) return `${state}, restorable until ${deletion.date_removed}${going}`;
  if (suspension === null) return `${state}${going}`;
  const answers = suspension.answers === 'stop' ? 'not answered' : 'answered';
  return `${state}, ${answers}${going}: ${suspension.reason}`;
}
