// The trail: who did what, when, from where and with what, as far as it is not about records and domains, which have their
// history (contract rule 82). An entry is never changed; it goes with its time, or with the budget of its account.
import { textOctets } from './stored-octets.ts';
import { authorOfUser } from './user.ts';

/** All actions, as `object.verb`. A new one is added here, beside those of its object. */
export const trailActions = [
  'account.create',
  /** An operator has said why it looks into the account. */
  'account.access',
  /** An operator has read what is in the account of another. */
  'account.read',
  'account.suspend',
  'account.resume',
  'account.delete',
  'account.restore',
  'account.remove',
  'account.export',
  'key.create',
  'key.rotate',
  'key.revoke',
  /** The key is known, but has expired or is used from a network where it is not allowed. */
  'key.refuse',
  /** The caller lacks the right. */
  'request.refuse',
  'limits.update',
  'invitation.create',
  'invitation.revoke',
  'invitation.accept',
  'member.update',
  'member.remove',
  'user.update',
  'user.recover',
  'user.link',
  'user.unlink',
  'user.passkey_add',
  'user.passkey_rename',
  'user.passkey_remove',
  'user.one_time_code_add',
  'user.one_time_code_remove',
  'user.recovery_codes_replace',
  'user.password_remove',
  'session.create',
  'session.refuse',
  'session.confirm',
  'session.end',
  'domain.restore',
  'domain.verify',
  'domain.release',
  'domain.expire',
  'domain.displace',
  'domain.revert',
  'domain.export',
  'trail.export',
  'signing.enable',
  'signing.disable',
  'signing.change',
  'rollover.start',
  'rollover.hold',
  'rollover.confirm',
  'rollover.cancel',
  'zone_key.add',
  'zone_key.remove',
  'zone_key.announce',
] as const;

export type TrailAction = (typeof trailActions)[number];

/** Those that a filter names: an action, or the first part of several with the dot that follows it. */
export function findTrailActions(filter: string): readonly TrailAction[] {
  return trailActions.filter((action) =>
    filter.endsWith('.') ? action.startsWith(filter) : action === filter,
  );
}

export function isRefusal(action: TrailAction): boolean {
  return action.endsWith('.refuse');
}

/** More about an entry: words and numbers for people, and never a secret. Members that are undefined are left out. */
export type TrailDetail = Readonly<Record<string, string | number | boolean | undefined>>;

export interface TrailEntry {
  /** The account that sees it; empty: only operators do. */
  readonly accountId: string;
  readonly atMs: number;
  readonly action: TrailAction;
  /** As `Author.keyId`: the id of an API key, `user:` and the id of a user, or empty for the service itself. */
  readonly actor: string;
  /** At that time: the label of the key, or the e-mail address of the user. */
  readonly actorName: string;
  /** The client's network address; null: there was none. */
  readonly address: string | null;
  /** The id of a key, user, account, session or invitation, or the name of a domain. */
  readonly object: string;
  /** The text of a `TrailDetail` as JSON, at most `MAX_DETAIL_OCTETS`; null: there is none. */
  readonly detail: string | null;
  /** So many times: repeats are merged. */
  readonly count: number;
  /** The time of the first of several; `atMs` is that of the last one. */
  readonly sinceMs: number;
}

const USER = authorOfUser('');

/** The id of the user that an actor is; undefined for keys and the service. */
export function userOfActor(actor: string): string | undefined {
  return actor.startsWith(USER) ? actor.slice(USER.length) : undefined;
}

/** An entry as the store has numbered it. */
export interface NumberedTrailEntry extends TrailEntry {
  /** Rises in the order of writing. */
  readonly id: number;
}

/** The row of an entry without its texts: numbers, and its entries in two indexes. */
export const TRAIL_ROW_OCTETS = 160;

/** The octets of an entry as the budget of its account counts them. */
export function trailOctets(entry: Omit<TrailEntry, 'atMs' | 'sinceMs' | 'count'>): number {
  const { accountId, action, actor, actorName, address, object, detail } = entry;
  const texts = [accountId, action, actor, actorName, address ?? '', object, detail ?? ''];
  return texts.reduce((octets, text) => octets + textOctets(text), TRAIL_ROW_OCTETS);
}

/** Longer details are cut: a sentence about rights, a few names. */
export const MAX_DETAIL_OCTETS = 1000;

/** The text of a detail that is stored; the longest texts in it are cut until it is short enough. Null if there is nothing in it. */
export function formatTrailDetail(detail: TrailDetail): string | null {
  let members = Object.entries(detail).filter(([, value]) => value !== undefined);
  if (members.length === 0) return null;
  for (;;) {
    const text = JSON.stringify(Object.fromEntries(members));
    const longest = Math.max(...members.map(([, value]) => lengthOf(value)));
    if (textOctets(text) <= MAX_DETAIL_OCTETS || longest <= 1) return text;
    members = members.map(([name, value]) => [name, lengthOf(value) === longest ? halved(value) : value]);
  }
}

function lengthOf(value: TrailDetail[string]): number {
  return typeof value === 'string' ? value.length : 0;
}

/** Never cuts through a surrogate pair. */
function halved(value: TrailDetail[string]): TrailDetail[string] {
  if (typeof value !== 'string') return value;
  return `${value.slice(0, Math.floor(value.length / 2)).replace(/[\ud800-\udbff]$/, '')}…`;
}
