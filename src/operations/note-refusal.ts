import type { Caller } from '../model/account.ts';
import { hasSome } from '../model/rights.ts';
import type { AccessRule } from './authorise.ts';
import type { SoughtKind } from './find-holders.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import type { SoughtObject } from './sought-objects.ts';
import type { TrailSender } from './trail-buffer.ts';

/** A request that was refused. */
export interface RefusedRequest {
  /** The name of the operation in the interface. */
  readonly operation: string;
  readonly needs: AccessRule['needs'];
  /** The domain in the path, as sent; undefined if there is none. */
  readonly domain: string | undefined;
  /** The id in the path. */
  readonly id: string | undefined;
  readonly code: string;
  /** The sentence of the refusal. */
  readonly reason: string | undefined;
}

/** Whether a refusal says that the caller lacks a right, or that an operator has not said why it wants one. */
export function lacksRight(code: string): boolean {
  return code === 'forbidden' || code === 'access_required';
}

/**
 * Notes a request that was refused because its caller lacks the right: in the trail of the caller, or, if it was answered as if there
 * were no such object, in the one that only operators see.
 */
export function noteRefusal(
  { trail, sought }: Pick<OperationContext, 'trail' | 'sought'>,
  caller: Pick<Caller, 'accountId' | 'rights' | 'signedIn'> & TrailSender,
  refused: RefusedRequest,
): void {
  if (!lacksRight(refused.code)) {
    const unknown = findSought(caller, refused);
    if (unknown !== undefined) sought.note(caller, unknown);
    return;
  }
  const { operation, domain, id, reason } = refused;
  const object = (domain ?? id ?? '').toLowerCase();
  const detail = { request: operation, reason };
  trail.note(caller, { accountId: caller.accountId, action: 'request.refuse', object, detail });
}

/** Returns the object that the request did not find, if others may have it. */
function findSought(
  { rights, signedIn }: Pick<Caller, 'rights' | 'signedIn'>,
  { operation: request, needs, domain, id, code }: RefusedRequest,
): SoughtObject | undefined {
  const needed = typeof needs === 'string' ? [needs] : needs;
  // Operators and administrators may see this in all accounts: the request only names another one.
  if (needed.some((one) => isOfAllAccounts(one) && hasSome(rights, one))) return undefined;
  if (code === 'unknown_account' && signedIn?.namedAccountId !== undefined)
    return { request, kind: 'account', id: signedIn.namedAccountId, object: domain ?? id };
  if (code === 'unknown_domain') {
    const name = domain === undefined ? undefined : parsePathDomain(domain);
    return name?.ok === true ? { request, kind: 'domain', id: name.value } : undefined;
  }
  const kind = domain === undefined ? kindsById.get(code) : undefined;
  return kind === undefined || id === undefined ? undefined : { request, kind, id };
}

function isOfAllAccounts(needed: string): needed is 'accounts:read' | 'accounts:write' {
  return needed.startsWith('accounts:');
}

/** Kinds of the id in a path without a domain. Passkeys are not among them: only their user knows their ids, which have no index. */
const kindsById: ReadonlyMap<string, SoughtKind> = new Map([
  ['unknown_key', 'key'],
  ['unknown_user', 'user'],
  ['unknown_invitation', 'invitation'],
  ['unknown_session', 'session'],
]);
