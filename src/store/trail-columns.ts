// The table of the trail, the same for both engines.
import {
  TRAIL_ROW_OCTETS,
  type NumberedTrailEntry,
  type TrailAction,
  type TrailEntry,
} from '../model/trail-entry.ts';

interface TrailColumn {
  readonly name: string;
  readonly kind: 'integer' | 'text';
  readonly cellOf: (entry: TrailEntry) => string | number | null;
}

/** Without the id, which the table gives. */
export const trailColumns: readonly TrailColumn[] = [
  { name: 'account_id', kind: 'text', cellOf: ({ accountId }) => accountId },
  { name: 'at', kind: 'integer', cellOf: ({ atMs }) => atMs },
  { name: 'since', kind: 'integer', cellOf: ({ sinceMs }) => sinceMs },
  { name: 'action', kind: 'text', cellOf: ({ action }) => action },
  { name: 'actor', kind: 'text', cellOf: ({ actor }) => actor },
  { name: 'actor_name', kind: 'text', cellOf: ({ actorName }) => actorName },
  { name: 'address', kind: 'text', cellOf: ({ address }) => address },
  { name: 'object', kind: 'text', cellOf: ({ object }) => object },
  { name: 'detail', kind: 'text', cellOf: ({ detail }) => detail },
  { name: 'count', kind: 'integer', cellOf: ({ count }) => count },
];

export const TRAIL_COLUMNS = trailColumns.map(({ name }) => name).join(', ');

export type TrailRow = [
  id: number,
  accountId: string,
  atMs: number,
  sinceMs: number,
  action: TrailAction,
  actor: string,
  actorName: string,
  address: string | null,
  object: string,
  detail: string | null,
  count: number,
];

/** @param row `id` and `TRAIL_COLUMNS` */
export function toTrailEntry(row: TrailRow): NumberedTrailEntry {
  const [id, accountId, atMs, sinceMs, action, actor, actorName, address, object, detail, count] = row;
  return { id, accountId, atMs, sinceMs, action, actor, actorName, address, object, detail, count };
}

const texts = trailColumns.filter(({ kind }) => kind === 'text');

/** `trailOctets` in SQL. */
export const TRAIL_OCTETS = `(${[
  String(TRAIL_ROW_OCTETS),
  ...texts.map(({ name }) => `coalesce(octet_length(${name}), 0)`),
].join(' + ')})`;

/** An account that has more octets of the trail than it may. */
export interface TrailOverBudget {
  readonly accountId: string;
  readonly budget: number;
}

/** An account over its budget keeps less than it may, so that it is not over it again in a minute. */
export function keptTrailOctets(budget: number): number {
  return budget - Math.floor(budget / 8);
}

/** Counts the octets of the trail again, after a move or restore. The same SQL for both engines. */
export const FILL_TRAIL_USAGE = `
  INSERT INTO trail_usage (account_id, action, octets)
    SELECT account_id, action, sum(${TRAIL_OCTETS}) FROM trail GROUP BY account_id, action;
`;
