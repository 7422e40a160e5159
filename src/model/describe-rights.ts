// The rights of a key as a sentence, so that people can check what they grant. Never decides.
import { formatRecordType } from '../dns/type-mnemonic.ts';
import { formatNamePattern } from './name-pattern.ts';
import {
  accountPermissions,
  domainPermissions,
  isRecordPermission,
  recordPermissions,
  type Permission,
} from './permission.ts';
import type { Grant, Rights } from './rights.ts';

/** `May read, create and delete TXT records named _acme-challenge.www in example.com`. */
export function describeRights(rights: Rights): string {
  return rights.length === 0 ? 'May do nothing' : `May ${rights.map(describeGrant).join('; may ')}`;
}

const verbs: Readonly<Record<Exclude<Permission, `records:${string}`>, string>> = {
  'domains:read': 'see domains',
  'domains:create': 'create domains',
  'domains:update': 'change SOA fields and nameservers',
  'domains:delete': 'delete domains',
  'domains:sign': 'sign domains',
  'zones:read': 'export domains and read their history',
  'zones:write': 'import and revert domains',
  'account:read': 'see the account',
  'account:export': 'download all that the account has',
  'account:delete': 'delete the account',
  'keys:read': 'list API keys',
  'keys:write': 'create and revoke API keys',
  'users:read': 'list users',
  'users:write': 'invite and remove users',
  'trail:read': 'read the trail',
  'metrics:read': 'read metrics',
  'accounts:read': 'see all accounts',
  'accounts:write': 'manage all accounts',
};

/** Permissions that are said in one word if a grant has all of them, for all records. */
const wholes: readonly { readonly may: readonly Permission[]; readonly said: string }[] = [
  { may: [...recordPermissions, ...domainPermissions], said: 'do everything with domains and records' },
  {
    may: accountPermissions.filter((permission) => !/^(accounts|metrics):/.test(permission)),
    said: 'do everything with the account, its keys and its users',
  },
];

function describeGrant(grant: Grant): string {
  const isForAllRecords = grant.names === null && grant.types === null;
  const whole = wholes.filter(({ may }) => isForAllRecords && may.every((one) => grant.may.includes(one)));
  const left = grant.may.filter((permission) => !whole.some(({ may }) => may.includes(permission)));
  const ofRecords = left.filter(isRecordPermission);
  const others = left.filter((permission) => !isRecordPermission(permission));
  const parts = [...whole.map(({ said }) => said), ...others.map((permission) => verbs[permission])];
  if (ofRecords.length > 0) parts.unshift(describeRecords(ofRecords, grant));
  const { domains } = grant;
  return `${joined(parts)}${domains === null ? '' : ` in ${joinedSome(domains)}`}`;
}

function describeRecords(may: readonly Permission[], { names, types }: Grant): string {
  const done = joined(may.map((permission) => permission.slice('records:'.length)));
  const kind = types === null ? 'records' : `${joinedSome(types.map(formatRecordType))} records`;
  return `${done} ${kind}${names === null ? '' : ` named ${joinedSome(names.map(formatNamePattern))}`}`;
}

/** Long lists are cut: the sentence is for people. */
const MAX_SHOWN = 5;

function joinedSome(all: readonly string[]): string {
  if (all.length <= MAX_SHOWN + 1) return joined(all);
  return joined([...all.slice(0, MAX_SHOWN), `${all.length - MAX_SHOWN} more`]);
}

function joined(shown: readonly string[]): string {
  return shown.length === 1 ? shown[0] : `${shown.slice(0, -1).join(', ')} and ${shown[shown.length - 1]}`;
}
