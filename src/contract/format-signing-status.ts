// The JSON text of the state of a domain's signatures, as contract rule 61 defines it.
import { formatDate } from './format-date.ts';
import type { signingStates } from './signing-status-shape.ts';

export interface ShownSigningStatus {
  readonly state: (typeof signingStates)[number];
  readonly nextStep: string;
  readonly denial: 'nsec' | 'nsec3' | null;
  readonly keys: readonly ShownKey[];
  /** RDATA of DS records in presentation format. */
  readonly wanted: readonly string[];
  readonly seen: readonly ShownDs[];
  readonly checkedAtMs: number | null;
  readonly earliestExpirySeconds: number | null;
}

export interface ShownKey {
  readonly id: string;
  readonly tag: number;
  readonly algorithm: number;
  readonly createdAtSeconds: number;
}

export type ShownDs = { readonly server: string; readonly address: string | null } & (
  { readonly ds: readonly string[] } | { readonly problem: string }
);

/** `{"dnssec":{"state","next_step","denial","keys":[…],"ds":{"wanted":[…],"seen":[…],"date_checked"},"earliest_expiry"}}`. */
export function formatSigningStatusReply(status: ShownSigningStatus): string {
  const { state, nextStep, denial, keys, wanted, seen, checkedAtMs, earliestExpirySeconds } = status;
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
      earliest_expiry: earliestExpirySeconds === null ? null : formatDate(earliestExpirySeconds),
    },
  });
}

/** One key signs everything, from the moment that the domain is signed. */
function showKey({ id, tag, algorithm, createdAtSeconds }: ShownKey): object {
  const date = formatDate(createdAtSeconds);
  return { id, tag, algorithm, role: 'csk', state: 'active', date_created: date };
}

function showDs(seen: ShownDs): object {
  const { server, address } = seen;
  return 'ds' in seen
    ? { server, address, ds: seen.ds, problem: null }
    : { server, address, ds: null, problem: seen.problem };
}
