// The JSON text of accounts and keys. The text of a key appears only in the reply to its creation.
import type { Account, ApiKey } from '../model/account.ts';
import { describeRights } from '../model/describe-rights.ts';
import { rightsOf } from '../model/scope-rights.ts';
import { networksToJson, rightsToJson } from '../model/key-limits.ts';
import { standingMembers } from './format-standing.ts';
import { formatInvitation, formatNewInvitation, type MadeLink } from './format-member.ts';
import { formatDate } from './format-date.ts';
import { jsonString } from './json-string.ts';

/** Contract rule 33. The billing members are always empty; they exist because clients require them. */
export function formatOwnAccountReply(account: Account): string {
  return `{"account":{"name":${jsonString(account.name)},"email":${jsonString(account.email)},"acls":["dns"],"balance":0,"pending_charges":0,"last_payment_date":"","last_payment_amount":0}}`;
}

/** `{"id","name","email","date_created","state",…}`, for account management. */
export function formatAccount(account: Account): string {
  return `{"id":"${account.id}","name":${jsonString(account.name)},"email":${jsonString(account.email)},"date_created":"${formatDate(account.createdAtSeconds)}",${standingMembers(account)}}`;
}

/** `{"id","scope","label","date_created",…}`, without the key's text. */
export function formatKey(key: ApiKey): string {
  return `{"id":"${key.id}",${keyRest(key)}}`;
}

/** `{"account":{…},"key":{…}}`, with the account's first key. */
export function formatNewAccountReply(created: NewKey & { readonly account: Account }): string {
  return `{"account":${formatAccount(created.account)},"key":${formatNewKey(created)}}`;
}

/** `{"account":{…},"invitation":{…}}`, with the link for the first owner. */
export function formatOpenedAccountReply({
  account,
  ...made
}: MadeLink & { readonly account: Account }): string {
  return `{"account":${formatAccount(account)},"invitation":${formatNewInvitation(made)}}`;
}

/** `{"dry_run":true,"account":{…},"invitation":{…}}`. */
export function formatOpenedAccountPlan({
  account,
  invitation,
}: Pick<MadeLink, 'invitation'> & { readonly account: Account }): string {
  return `{"dry_run":true,"account":${formatAccount(account)},"invitation":${formatInvitation(invitation)}}`;
}

/** `{"key":{…}}`. */
export function formatNewKeyReply(created: NewKey): string {
  return `{"key":${formatNewKey(created)}}`;
}

/** `{"dry_run":true,"account":{…},"key":{…}}`: the account and key that would be created. */
export function formatAccountPlan({
  account,
  key,
}: Omit<NewKey, 'keyText'> & { readonly account: Account }): string {
  return `{"dry_run":true,"account":${formatAccount(account)},"key":${formatKey(key)}}`;
}

/** `{"dry_run":true,"key":{…}}`: the key that would be created or revoked. */
export function formatKeyPlan(key: ApiKey): string {
  return `{"dry_run":true,"key":${formatKey(key)}}`;
}

interface NewKey {
  readonly key: ApiKey;
  readonly keyText: string;
}

/** `{"id","key","scope","label","date_created",…}`, with the key's text. */
function formatNewKey({ key, keyText }: NewKey): string {
  return `{"id":"${key.id}","key":"${keyText}",${keyRest(key)}}`;
}

function keyRest(key: ApiKey): string {
  const { scope, label, createdAtSeconds, limits, usedAtSeconds } = key;
  const { rights = null, networks = null, expiresAtSeconds = null } = limits ?? {};
  const rightsText = rights === null ? 'null' : JSON.stringify(rightsToJson(rights));
  const networksText = networks === null ? 'null' : JSON.stringify(networksToJson(networks));
  return `"scope":"${scope}","label":${jsonString(label)},"date_created":"${formatDate(createdAtSeconds)}","rights":${rightsText},"summary":${jsonString(describeRights(rightsOf(key)))},"networks":${networksText},"date_expires":${dateOrNull(expiresAtSeconds)},"date_used":${dateOrNull(usedAtSeconds ?? null)}`;
}

function dateOrNull(seconds: number | null): string {
  return seconds === null ? 'null' : `"${formatDate(seconds)}"`;
}
