// The JSON text of the state of a domain's signatures and of rollovers, as contract rules 61 and 65 define it.
import { formatDate } from './format-date.ts';
import type {
  keyOrigins,
  keyRoles,
  keyStates,
  rolloverKinds,
  rolloverStepNames,
  signingStates,
} from './signing-status-shape.ts';

export interface ShownSigningStatus {
  readonly state: (typeof signingStates)[number];
  readonly nextStep: string;
  readonly denial: 'nsec' | 'nsec3' | null;
  readonly keys: readonly ShownKey[];
  /** RDATA of DS records in presentation format. */
  readonly wanted: readonly string[];
  readonly seen: readonly ShownDs[];
  readonly checkedAtMs: number | null;
  readonly rollover: ShownRollover | null;
  readonly earliestExpirySeconds: number | null;
  readonly progress: { readonly done: number; readonly total: number } | null;
}

export interface ShownKey {
  readonly id: string;
  readonly tag: number;
  readonly algorithm: number;
  /** Those of its DNSKEY record: 256 or 257. */
  readonly flags: number;
  readonly state: (typeof keyStates)[number];
  readonly origin: (typeof keyOrigins)[number];
  readonly createdAtSeconds: number;
}

export interface ShownRollover {
  readonly id: string;
  readonly kind: (typeof rolloverKinds)[number];
  readonly step: (typeof rolloverStepNames)[number];
  readonly createdAtSeconds: number;
  readonly sinceSeconds: number;
  readonly untilSeconds: number | null;
  readonly isHeld?: true | undefined;
}

export type ShownDs = { readonly server: string; readonly address: string | null } & (
  { readonly ds: readonly string[] } | { readonly problem: string }
);

/** `{"dnssec":{"state","next_step","denial","keys":[…],"ds":{"wanted":[…],"seen":[…],"date_checked"},"rollover","earliest_expiry","progress"}}`. */
export function formatSigningStatusReply(status: ShownSigningStatus): string {
  const {
    state,
    nextStep,
    denial,
    keys,
    wanted,
    seen,
    checkedAtMs,
    rollover,
    earliestExpirySeconds,
    progress,
  } = status;
  return JSON.stringify({
    dnssec: {
      state,
      next_step: nextStep,
      denial,
      keys: keys.map(showKey),
      ds: {
        wanted,
        seen: seen.map(showDs),
        date_checked: checkedAtMs === null ? null : formatDate(Math.floor(checkedAtMs / 1000)),
      },
      rollover: rollover && showRollover(rollover),
      earliest_expiry: earliestExpirySeconds === null ? null : formatDate(earliestExpirySeconds),
      progress,
    },
  });
}

/** `{"rollover":{"id","kind","step","date_created","date_step","date_next","held"}}`. */
export function formatRolloverReply(rollover: ShownRollover): string {
  return JSON.stringify({ rollover: showRollover(rollover) });
}

function showRollover(rollover: ShownRollover): object {
  const { id, kind, step, createdAtSeconds, sinceSeconds, untilSeconds, isHeld } = rollover;
  return {
    ...{ id, kind, step, date_created: formatDate(createdAtSeconds), date_step: formatDate(sinceSeconds) },
    date_next: untilSeconds === null ? null : formatDate(untilSeconds),
    held: isHeld === true,
  };
}

function showKey(key: ShownKey): object {
  const { id, tag, algorithm, state, origin, createdAtSeconds } = key;
  return { id, tag, algorithm, role: roleOf(key), state, origin, date_created: formatDate(createdAtSeconds) };
}

/** Every own key signs everything, apart from the steps of a rollover. */
function roleOf({ origin, flags }: ShownKey): (typeof keyRoles)[number] {
  if (origin === 'made' || origin === 'imported') return 'csk';
  return flags === ZONE_KEY_FLAGS ? 'zsk' : 'ksk';
}

/** Those of a key that no DS record names (RFC 4034 section 2.1.1). */
const ZONE_KEY_FLAGS = 256;

function showDs(seen: ShownDs): object {
  const { server, address } = seen;
  return 'ds' in seen
    ? { server, address, ds: seen.ds, problem: null }
    : { server, address, ds: null, problem: seen.problem };
}
