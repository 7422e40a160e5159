// The limits of a new key, from a request. A key never gets more than the caller has.
import type { Caller, KeyLimits, KeyScope } from '../model/account.ts';
import { parseNetworks } from '../model/key-limits.ts';
import { coversNetwork, type Network } from '../model/network.ts';
import { parseRights, type GrantInput } from '../model/parse-rights.ts';
import { refused, success, type Result } from '../model/result.ts';
import { coversRights, type Rights } from '../model/rights.ts';
import { scopeRights } from '../model/scope-rights.ts';
import { rightsOfTemplate, type KeyTemplate } from './key-templates.ts';
import type { OperationContext } from './operation-context.ts';

export interface LimitsInput {
  readonly scope?: KeyScope;
  readonly rights?: readonly GrantInput[] | undefined;
  readonly template?: KeyTemplate;
  readonly host?: string;
  readonly networks?: readonly string[];
  /** RFC 3339. */
  readonly date_expires?: string;
}

interface NewLimits {
  readonly scope: KeyScope;
  /** Undefined: it has none. */
  readonly limits: KeyLimits | undefined;
}

/** @param accountId the account that the key is for */
export async function parseKeyLimits(
  context: OperationContext,
  caller: Caller,
  accountId: string,
  input: LimitsInput,
): Promise<Result<NewLimits>> {
  const rights = await readRights(context, accountId, input);
  if (!rights.ok) return rights;
  const networks = input.networks === undefined ? success(null) : parseNetworks(input.networks);
  if (!networks.ok) return networks;
  const expires = parseExpiry(context, input.date_expires);
  if (!expires.ok) return expires;
  const scope = rights.value === null ? (input.scope ?? 'full') : 'limited';
  if (!coversRights(caller.rights, rights.value ?? scopeRights[scope])) {
    return refused('forbidden', 'A key cannot get rights that the API key of the request lacks');
  }
  return inherit(caller, scope, {
    rights: rights.value,
    networks: networks.value,
    expiresAtSeconds: expires.value,
  });
}

async function readRights(
  context: OperationContext,
  accountId: string,
  { scope, rights, template, host }: LimitsInput,
): Promise<Result<Rights | null>> {
  if (rights !== undefined && template !== undefined) {
    return refused('invalid_request', 'Send either rights or template', 'template');
  }
  const isLimited = rights !== undefined || template !== undefined;
  if (isLimited && scope !== undefined && scope !== 'limited') {
    return refused('invalid_request', `scope must be limited for a key with rights of its own`, 'scope');
  }
  if (!isLimited && scope === 'limited') {
    return refused('invalid_request', 'A limited key needs rights or template', 'rights');
  }
  if (template !== undefined) return rightsOfTemplate(context, { accountId }, template, host);
  if (host !== undefined) return refused('invalid_request', 'host is for a template', 'host');
  return rights === undefined ? success(null) : parseRights(rights);
}

/** RFC 3339 section 5.6, without leap seconds. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

function parseExpiry({ clock }: OperationContext, text: string | undefined): Result<number | null> {
  if (text === undefined) return success(null);
  const ms = DATE_TIME.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(ms)) {
    return refused(
      'invalid_request',
      'date_expires must be a date such as 2027-01-31T12:00:00Z',
      'date_expires',
    );
  }
  if (ms <= clock.nowMs())
    return refused('invalid_request', 'date_expires has passed already', 'date_expires');
  return success(Math.floor(ms / 1000));
}

/** A key that is limited to networks or a time cannot make one that is less so. */
function inherit(caller: Caller, scope: KeyScope, sent: KeyLimits): Result<NewLimits> {
  const { networks: within = null, expiresAtSeconds: until = null } = caller.limits ?? {};
  const networks = sent.networks ?? within;
  const expiresAtSeconds = sent.expiresAtSeconds ?? until;
  if (within !== null && !isWithin(networks ?? [], within)) {
    return refused(
      'forbidden',
      'A key cannot be used from networks from which the API key of the request cannot',
    );
  }
  if (until !== null && expiresAtSeconds !== null && expiresAtSeconds > until) {
    return refused('forbidden', 'A key cannot expire later than the API key of the request');
  }
  const limits = { rights: sent.rights, networks, expiresAtSeconds };
  const isUnlimited = Object.values(limits).every((limit) => limit === null);
  return success({ scope, limits: isUnlimited ? undefined : limits });
}

function isWithin(inner: readonly Network[], outer: readonly Network[]): boolean {
  return inner.every((network) => outer.some((other) => coversNetwork(other, network)));
}
