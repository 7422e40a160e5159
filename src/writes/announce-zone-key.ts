/**
 * Which keys of a domain CDS and CDNSKEY ask a DS record for. A registry that reads only these removes the DS record of a
 * key that is no longer announced (RFC 8078 section 3), so that providers can leave (RFC 8901 section 6).
 */
import { hasUse, KEY_FLAGS, keyUse, type ZoneKey } from '../dnssec/zone-key.ts';
import { quoteText } from '../model/quote-text.ts';
import { refused, written, type Refused, type WriteResult } from '../model/result.ts';
import type { CommandOf } from './command.ts';
import { getOwnDomain } from './decide-domain.ts';
import { refuseConflict } from './decide-rollover.ts';
import type { PendingBatch } from './pending-batch.ts';
import { refuseUnavailable } from './signing/find-signing-refusal.ts';

/** A repeated command changes nothing. */
export function announceZoneKey(
  { domain: name, author, keyId, isAnnounced }: CommandOf<'announceZoneKey'>,
  batch: PendingBatch,
): WriteResult<null> {
  const found = getOwnDomain(name, author, batch);
  if (!found.ok) return found;
  const domain = found.value;
  const keys = batch.signing.keysOf(domain);
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) return refuseUnknownZoneKey(keyId, name);
  if (hasUse(key, keyUse.ANNOUNCED) === isAnnounced) return written(null, false);
  const refusal = findAnnouncingRefusal(name, key, keys);
  if (refusal !== undefined) return refusal;
  if (!batch.signing.canSign(domain)) return refuseUnavailable();
  const uses = key.uses ^ keyUse.ANNOUNCED;
  batch.updateDomain(domain, {});
  batch.signing.changeKeys(
    domain,
    keys.map((other) => (other === key ? { ...key, uses } : other)),
  );
  return written(null);
}

function findAnnouncingRefusal(name: string, key: ZoneKey, keys: readonly ZoneKey[]): Refused | undefined {
  const domain = quoteText(name);
  if (key.flags !== KEY_FLAGS) {
    return refuseConflict(
      `The key with tag ${key.tag} of ${domain} has the flags ${key.flags}: no DS record of it is ever asked for`,
    );
  }
  // The steps of a rollover decide which of the own keys is announced.
  if (key.origin !== 'foreign' && keys.some(({ rollover }) => rollover !== null)) {
    return refuseConflict(
      `The key of domain ${domain} is being exchanged, or its signing is being withdrawn: cancel that first, or wait until it is done`,
    );
  }
  return findLastAnnouncedRefusal(name, key, keys);
}

/** Without any announced key, CDS would ask for nothing, and a registry that reads only CDS would keep what it has. */
export function findLastAnnouncedRefusal(
  name: string,
  key: ZoneKey,
  keys: readonly ZoneKey[],
): Refused | undefined {
  const isAnnounced = (other: ZoneKey): boolean => hasUse(other, keyUse.ANNOUNCED);
  if (!isAnnounced(key) || keys.some((other) => other !== key && isAnnounced(other))) return undefined;
  return refuseConflict(
    `The key with tag ${key.tag} is the only announced one of ${quoteText(name)}: announce another one first`,
  );
}

export function refuseUnknownZoneKey(keyId: string, domain: string): Refused {
  return refused(
    'unknown_key',
    `Invalid key: there is no key ${quoteText(keyId)} of domain ${quoteText(domain)}`,
  );
}
