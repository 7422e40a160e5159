// The limits of a key as JSON values, as requests and answers have them and as they are stored.
import { formatRecordType } from '../dns/type-mnemonic.ts';
import type { KeyLimits } from './account.ts';
import { formatNamePattern } from './name-pattern.ts';
import { formatNetwork, parseNetwork, type Network } from './network.ts';
import { parseRights, type GrantInput } from './parse-rights.ts';
import { refused, success, type Result } from './result.ts';
import { MAX_NETWORKS } from './rights-limits.ts';
import type { Rights } from './rights.ts';

/** Absent lists and entries limit nothing. */
export interface GrantJson {
  readonly may: readonly string[];
  readonly domains?: readonly string[];
  readonly names?: readonly string[];
  readonly types?: readonly string[];
}

export function rightsToJson(rights: Rights): GrantJson[] {
  return rights.map(({ may, domains, names, types }) => ({
    may,
    ...(domains !== null && { domains }),
    ...(names !== null && { names: names.map(formatNamePattern) }),
    ...(types !== null && { types: types.map(formatRecordType) }),
  }));
}

export function networksToJson(networks: readonly Network[]): string[] {
  return networks.map(formatNetwork);
}

export function parseNetworks(texts: readonly string[]): Result<readonly Network[]> {
  if (texts.length === 0 || texts.length > MAX_NETWORKS) {
    return refused('invalid_request', `networks must have 1 to ${MAX_NETWORKS} entries`, 'networks');
  }
  const networks: Network[] = [];
  for (const text of texts) {
    const network = parseNetwork(text);
    if (!network.ok) return refused('invalid_request', network.problem, 'networks');
    networks.push(network.value);
  }
  return success(networks);
}

interface StoredLimits {
  readonly rights?: readonly GrantInput[];
  readonly networks?: readonly string[];
  readonly expires?: number;
}

/** The text of a column. */
export function storeKeyLimits({ rights, networks, expiresAtSeconds }: KeyLimits): string {
  const stored: StoredLimits = {
    ...(rights !== null && { rights: rightsToJson(rights) }),
    ...(networks !== null && { networks: networksToJson(networks) }),
    ...(expiresAtSeconds !== null && { expires: expiresAtSeconds }),
  };
  return JSON.stringify(stored);
}

/** Rights and networks that this version does not understand allow nothing. */
export function readKeyLimits(text: string): KeyLimits {
  const { rights, networks, expires } = JSON.parse(text) as StoredLimits;
  return {
    rights: rights === undefined ? null : valueOr(parseRights(rights), []),
    networks: networks === undefined ? null : valueOr(parseNetworks(networks), []),
    expiresAtSeconds: expires ?? null,
  };
}

function valueOr<T>(result: Result<T>, otherwise: T): T {
  return result.ok ? result.value : otherwise;
}
