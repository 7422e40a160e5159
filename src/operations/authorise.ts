// Whether a caller's rights allow an operation. Every way in asks here, with what the endpoint declares; operations and writes
// then see only the part of the account that the same rights cover.
import type { Caller } from '../model/account.ts';
import type { ZoneName } from '../model/domain.ts';
import { describeRoles } from '../model/role-rights.ts';
import { describeScopes } from '../model/scope-rights.ts';
import { isOfDomains, isWriting, type Permission } from '../model/permission.ts';
import type { Refusal } from '../model/refusal.ts';
import { hasEverywhere, hasSome, permitsInDomain, type Rights } from '../model/rights.ts';
import { parsePathDomain } from './path-domain.ts';

/** Declared by each endpoint. */
export interface AccessRule {
  /**
   * One of several permissions is enough: the parts of the request are then decided one by one. `user` is for everybody who has
   * signed in, `operator` for those of them who manage all accounts, `anyone` for all.
   */
  readonly needs: Permission | readonly Permission[] | 'user' | 'operator' | 'anyone';
  /** The operation shows or changes only the domains that the rights cover. */
  readonly narrows?: true;
  /** Users must have proved lately who they are. */
  readonly fresh?: true;
  /** Users may do it to themselves, in an account that they belong to. */
  readonly orSelf?: true;
}

/** The part of a request that decides about rights. */
export interface AccessTarget {
  /** The domain in the path, as sent. */
  readonly domain?: string | undefined;
  /** The id in the path. */
  readonly id?: string | undefined;
  readonly isDryRun?: boolean | undefined;
}

/**
 * Returns undefined if the caller may do it. A caller who may read all of a domain may also see what a write to it would
 * change.
 */
export function authorise(
  caller: Pick<Caller, 'rights' | 'signedIn'>,
  { needs, narrows, orSelf }: AccessRule,
  { domain, id, isDryRun = false }: AccessTarget = {},
): Refusal | undefined {
  const { rights, signedIn } = caller;
  if (needs === 'anyone' || needs === 'user' || needs === 'operator') return findSignInRefusal(caller, needs);
  if (orSelf === true && isSelf(caller, id)) return undefined;
  const wanted = typeof needs === 'string' ? [needs] : needs;
  const name = domain === undefined ? undefined : parsePathDomain(domain);
  const inDomain = name?.ok === true ? name.value : undefined;
  // A malformed name is refused by the operation, which finds no such domain.
  const isPart = narrows === true || (name !== undefined && !name.ok);
  const has = (permission: Permission): boolean => isPermitted(rights, permission, inDomain, isPart);
  if (wanted.some(has)) return undefined;
  if (isDryRun && wanted.some(isDomainWrite) && has('zones:read')) return undefined;
  return (
    signedIn?.accountRefusal ?? { code: 'forbidden', message: describeLack(wanted[0], inDomain, caller) }
  );
}

function findSignInRefusal(
  { signedIn }: Pick<Caller, 'signedIn'>,
  needs: 'user' | 'operator' | 'anyone',
): Refusal | undefined {
  if (needs === 'user') return signedIn === undefined ? onlyForUsers : undefined;
  if (needs === 'operator') return signedIn?.user.isOperator === true ? undefined : onlyForOperators;
  return undefined;
}

function isSelf({ signedIn }: Pick<Caller, 'signedIn'>, id: string | undefined): boolean {
  return signedIn !== undefined && signedIn.accountRefusal === undefined && signedIn.user.id === id;
}

const onlyForUsers: Refusal = {
  code: 'forbidden',
  message: 'This request is for users who have signed in; an API key has no sessions and no password',
};

const onlyForOperators: Refusal = {
  code: 'forbidden',
  message: 'This request is for operators who have signed in',
};

/** Why the user has to prove again who it is; undefined if that is not needed. */
export function findFreshnessRefusal(
  { signedIn }: Pick<Caller, 'signedIn'>,
  { fresh }: Pick<AccessRule, 'fresh'>,
  nowSeconds: number,
): Refusal | undefined {
  if (fresh !== true || signedIn === undefined || nowSeconds < signedIn.session.freshUntilSeconds)
    return undefined;
  const message =
    'This needs a fresh proof of who you are; confirm the session first (POST /v2/session/confirm)';
  return { code: 'confirmation_required', message };
}

function isPermitted(
  rights: Rights,
  permission: Permission,
  domain: ZoneName | undefined,
  isPart: boolean,
): boolean {
  if (domain !== undefined) return permitsInDomain(rights, permission, domain);
  return isPart ? hasSome(rights, permission) : hasEverywhere(rights, permission);
}

function isDomainWrite(permission: Permission): boolean {
  return isOfDomains(permission) && isWriting(permission);
}

function describeLack(
  permission: Permission,
  domain: ZoneName | undefined,
  { rights, signedIn }: Pick<Caller, 'rights' | 'signedIn'>,
): string {
  const partly = domain === undefined && hasSome(rights, permission) ? ' in the whole account' : '';
  const where = domain === undefined ? partly : ` in ${domain}`;
  if (signedIn === undefined)
    return `This API key lacks the permission ${permission}${where}; keys of scope ${describeScopes(permission)} have it`;
  const others = describeRoles(permission);
  const having = others === undefined ? 'operators have it' : `the role ${others} has it`;
  return `Your role lacks the permission ${permission}${where}; ${having}`;
}
