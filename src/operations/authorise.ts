// What a key's scope allows. Everything else a caller may touch follows from its account.
import type { Caller } from '../model/account.ts';
import { refused, type Outcome } from '../model/refusal.ts';

/** Undefined when the caller may change things in its account. */
export function findWriteRefusal(caller: Caller): Outcome<never> | undefined {
  if (caller.scope !== 'read') return undefined;
  return refused('forbidden', 'This API key may only read');
}

/** Undefined when the caller may manage accounts and keys: a stolen DNS key must not make itself successors. */
export function findAdminRefusal(caller: Caller): Outcome<never> | undefined {
  if (caller.scope === 'admin') return undefined;
  return refused('forbidden', 'Accounts and keys are managed with API keys of scope admin');
}

/** Undefined when the caller may read the service's metrics, which tell of all accounts together. */
export function findMetricsRefusal(caller: Caller): Outcome<never> | undefined {
  if (caller.scope === 'admin') return undefined;
  return refused('forbidden', 'Metrics are read with API keys of scope admin');
}
