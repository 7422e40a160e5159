// What a key's scope allows. Everything else a caller may touch follows from its account.
import type { Caller, KeyScope } from '../model/account.ts';
import { refused, type Outcome } from '../model/refusal.ts';

type Scoped = Pick<Caller, 'scope'>;

/** Undefined when the caller's key reaches as far as is needed: `read` to read, `full` to write, `admin` to manage. */
export function findScopeRefusal(caller: Scoped, needed: KeyScope): Outcome<never> | undefined {
  if (needed === 'read') return undefined;
  return needed === 'full' ? findWriteRefusal(caller) : findAdminRefusal(caller);
}

/** Undefined when the caller may change things in its account. */
export function findWriteRefusal(caller: Scoped): Outcome<never> | undefined {
  if (caller.scope !== 'read') return undefined;
  return refused('forbidden', 'This API key may only read');
}

/** Undefined when the caller may manage accounts and keys: a stolen DNS key must not make itself successors. */
export function findAdminRefusal(caller: Scoped): Outcome<never> | undefined {
  if (caller.scope === 'admin') return undefined;
  return refused('forbidden', 'Accounts and keys are managed with API keys of scope admin');
}

/** Undefined when the caller may read the service's metrics, which tell of all accounts together. */
export function findMetricsRefusal(caller: Scoped): Outcome<never> | undefined {
  if (caller.scope === 'admin') return undefined;
  return refused('forbidden', 'Metrics are read with API keys of scope admin');
}
