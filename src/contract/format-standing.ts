// The JSON text of what is decided about an account: suspension, deletion, and how far its domains are withheld.
import type { Account } from '../model/account.ts';
import type { AccountStanding } from '../model/account-standing.ts';
import { formatDate } from './format-date.ts';
import { jsonString } from './json-string.ts';

/** `"state","suspension","deletion","progress"`: the last members of an account. */
export function standingMembers({ standing }: Pick<Account, 'standing'>): string {
  if (standing === undefined) return '"state":"active","suspension":null,"deletion":null,"progress":null';
  return `"state":"${stateOf(standing)}",${suspensionMember(standing)},${deletionMember(standing)},${progressMember(standing)}`;
}

/** `{"standing":{"state",…}}`, contract rule 83. */
export function formatStandingReply(account: Account): string {
  return `{"standing":{${standingMembers(account)}}}`;
}

/** `{"account":{…}}`. @param account its text, see `formatAccount` */
export function formatAccountReply(account: string): string {
  return `{"account":${account}}`;
}

/** `{"dry_run":true,"account":{…}}`: the account as it would be afterwards. */
export function formatAccountChangePlan(account: string): string {
  return `{"dry_run":true,"account":${account}}`;
}

interface Holdings {
  readonly domains: number;
  readonly records: number;
  readonly keys: number;
  readonly users: number;
  readonly invitations: number;
}

/** `{"dry_run":true,"account":{…},"removes":{…}}`: what would go with the account. */
export function formatDeletionPlan(account: string, holdings: Holdings): string {
  const { domains, records, keys, users, invitations } = holdings;
  return `{"dry_run":true,"account":${account},"removes":${JSON.stringify({ domains, records, keys, users, invitations })}}`;
}

function stateOf({ suspension, deletion }: AccountStanding): string {
  if (deletion !== null) return 'deleted';
  return suspension === null ? 'active' : 'suspended';
}

function suspensionMember({ suspension }: AccountStanding): string {
  if (suspension === null) return '"suspension":null';
  const { reason, answers, atMs } = suspension;
  return `"suspension":{"reason":${jsonString(reason)},"answers":"${answers}","date_suspended":"${dateOf(atMs)}"}`;
}

function deletionMember({ deletion }: AccountStanding): string {
  if (deletion === null) return '"deletion":null';
  const { atMs, heldUntilMs, slices } = deletion;
  return `"deletion":{"date_deleted":"${dateOf(atMs)}","date_removed":"${dateOf(heldUntilMs)}","restorable":${slices === null}}`;
}

function progressMember({ sweep }: AccountStanding): string {
  if (sweep === null) return '"progress":null';
  const { done, total } = sweep;
  return `"progress":{"done":${Math.min(done, total)},"total":${total}}`;
}

function dateOf(ms: number): string {
  return formatDate(Math.floor(ms / 1000));
}
