// Whether a caller's key may be used for an operation. This is the only check of scopes: use cases rely on it, and see
// only what belongs to the caller's account.
import type { Caller, KeyScope } from '../model/account.ts';
import type { Refusal } from '../model/refusal.ts';

/** Declared by each endpoint: the least scope a key needs to use it. */
export interface AccessRule {
  readonly scope: KeyScope;
  /** The refusal's message where the one for the scope does not fit. */
  readonly refusalMessage?: string;
}

const refusalMessages = {
  full: 'This API key may only read',
  // A stolen DNS key must not be able to create more keys.
  admin: 'Accounts and keys are managed with API keys of scope admin',
};

/**
 * Returns undefined if the caller's key may be used. An admin key can do everything, a full key all but manage. A read key
 * may see what a write to its account's domains would change.
 */
export function authorise(
  caller: Pick<Caller, 'scope'>,
  rule: AccessRule,
  isDryRun = false,
): Refusal | undefined {
  const needed = rule.scope;
  if (needed === 'read' || caller.scope === 'admin' || caller.scope === needed) return undefined;
  if (needed === 'full' && isDryRun) return undefined;
  return { code: 'forbidden', message: rule.refusalMessage ?? refusalMessages[needed] };
}
