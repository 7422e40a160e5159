import {
  foreignUses,
  hasUse,
  isNamedAlike,
  keyUse,
  publicPartOf,
  type PublicZoneKey,
  type ZoneKey,
} from '../dnssec/zone-key.ts';
import type { Denial } from '../dns/proven-types.ts';
import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { refused, written, type Refused, type WriteResult } from '../model/result.ts';
import type { CommandOf, CommandResult } from './command.ts';
import { announceZoneKey, findLastAnnouncedRefusal, refuseUnknownZoneKey } from './announce-zone-key.ts';
import { getOwnDomain } from './decide-domain.ts';
import { refuseConflict } from './decide-rollover.ts';
import { changeSigning } from './decide-signing.ts';
import type { PendingBatch } from './pending-batch.ts';
import { refuseUnfinished } from './refuse-unfinished.ts';
import { refuseUnavailable } from './signing/find-signing-refusal.ts';

/**
 * The most keys of other providers beside the own one: two providers with two keys each. Every answer with the DNSKEY set
 * has all of them.
 */
export const MAX_FOREIGN_KEYS = 4;

/** Keys that come from elsewhere: so that a signed domain moves in or out, and stays signed meanwhile. */
export function decideZoneKeys(
  command: CommandOf<'addZoneKey' | 'removeZoneKey' | 'announceZoneKey'>,
  batch: PendingBatch,
): CommandResult<typeof command> {
  switch (command.kind) {
    case 'addZoneKey':
      return addZoneKey(command, batch);
    case 'removeZoneKey':
      return removeZoneKey(command, batch);
    case 'announceZoneKey':
      return announceZoneKey(command, batch);
  }
}

/** Adding a key that is there already changes nothing, so that it is safe to repeat. */
function addZoneKey(
  { domain: name, author, key, denial }: CommandOf<'addZoneKey'>,
  batch: PendingBatch,
): WriteResult<PublicZoneKey> {
  const found = getOwnDomain(name, author, batch);
  if (!found.ok) return found;
  const domain = found.value;
  const keys = batch.signing.keysOf(domain);
  const existing = keys.find((other) => other.origin !== 'file' && isSameKey(other, key));
  if (existing !== undefined) return written(publicPartOf(existing), false);
  if (isForeign(key)) {
    const refusal = findForeignRefusal(domain, keys, key, batch);
    if (refusal !== undefined) return refusal;
    batch.updateDomain(domain, {});
    batch.signing.changeKeys(domain, [...keys, key]);
    return written(publicPartOf(key));
  }
  if (domain.presignedUntilSeconds !== null) return takeOver(domain, keys, key, denial, batch);
  if (domain.denial !== null || domain.signingWork?.kind === 'sign') return refuseImport(domain);
  const signing = changeSigning(domain, { wanted: 'enabled', denial, key }, batch);
  // The member of the request that the refusal names is not that of this one.
  if (!signing.ok) return refused(signing.refusal.code, signing.refusal.message);
  batch.updateDomain(domain, {});
  return written(publicPartOf(key));
}

/**
 * Goes on to sign a zone that another signer has signed, with its own key, so that the DS record stays right. Its other keys
 * stay published, because caches have signatures of them.
 */
function takeOver(
  domain: Domain,
  keys: readonly ZoneKey[],
  key: ZoneKey,
  denial: Denial,
  batch: PendingBatch,
): WriteResult<PublicZoneKey> {
  const name = quoteText(domain.name);
  const same = keys.find((other) => publicPartOf(other).dnskey === publicPartOf(key).dnskey);
  if (same === undefined || !hasUse(same, keyUse.SIGNS_KEYS)) {
    return refuseConflict(
      `The key is none with which the DNSKEY records of domain ${name} are signed: import the one that its DS record names`,
    );
  }
  const others = keys.filter((other) => other !== same);
  if (others.some(({ algorithm }) => algorithm !== key.algorithm) || others.length > MAX_FOREIGN_KEYS) {
    return refuseConflict(
      `Domain ${name} has keys of other algorithms, or more than ${MAX_FOREIGN_KEYS} others: finish the exchange of its keys where it is signed`,
    );
  }
  if (!batch.signing.canSign()) return refuseUnavailable();
  batch.updateDomain(domain, {});
  batch.signing.takeOver(domain, [key, ...others.map(asForeign)], domain.denial ?? denial);
  return written(publicPartOf(key));
}

function asForeign(key: ZoneKey): ZoneKey {
  return { ...key, origin: 'foreign', uses: foreignUses(key) };
}

function refuseImport({ name }: Domain): Refused {
  return refuseConflict(
    `Domain ${quoteText(name)} is signed with another key: a key can be imported only before a domain is signed`,
  );
}

function findForeignRefusal(
  domain: Domain,
  keys: readonly ZoneKey[],
  key: ZoneKey,
  batch: PendingBatch,
): Refused | undefined {
  const name = quoteText(domain.name);
  if (domain.signingWork !== null) return refuseUnfinished(domain);
  if (domain.denial === null) {
    return refuseConflict(
      `Domain ${name} is not signed: sign it first, then add the keys of other providers`,
    );
  }
  if (domain.withdrawnAtSeconds !== null) {
    return refuseConflict(`Signing of domain ${name} is being withdrawn: no key can be added`);
  }
  if (keys.some(({ rollover }) => rollover !== null)) {
    return refuseConflict(
      `The key of domain ${name} is being exchanged: wait until that is done, or cancel it`,
    );
  }
  // Each algorithm of the DNSKEY set has to sign everything (RFC 8901 section 4).
  const own = keys.find((other) => !isForeign(other));
  if (own?.algorithm !== key.algorithm) {
    return refuseConflict(
      `The key has algorithm ${key.algorithm}, and domain ${name} is signed with algorithm ${own?.algorithm}: all providers have to sign with the same one`,
    );
  }
  if (keys.some((other) => isNamedAlike(other, key))) {
    return refuseConflict(
      `Domain ${name} has a key with the tag ${key.tag} already: signatures could not tell them apart`,
    );
  }
  if (keys.filter(isForeign).length >= MAX_FOREIGN_KEYS) {
    return refuseConflict(
      `Domain ${name} has ${MAX_FOREIGN_KEYS} keys of other providers, and cannot have more`,
    );
  }
  return batch.signing.canSign(domain) ? undefined : refuseUnavailable();
}

/** The caller has looked whether the parent zone still has the DS record of the key. */
function removeZoneKey(
  { domain: name, author, keyId }: CommandOf<'removeZoneKey'>,
  batch: PendingBatch,
): WriteResult<null> {
  const found = getOwnDomain(name, author, batch);
  if (!found.ok) return found;
  const domain = found.value;
  const keys = batch.signing.keysOf(domain);
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) return refuseUnknownZoneKey(keyId, name);
  if (!isForeign(key)) {
    return refuseConflict(
      `Domain ${quoteText(name)} is signed with this key: exchange it for another one by a rollover, or switch signing off`,
    );
  }
  if (domain.signingWork !== null) return refuseUnfinished(domain);
  const refusal = findLastAnnouncedRefusal(name, key, keys);
  if (refusal !== undefined) return refusal;
  batch.updateDomain(domain, {});
  batch.signing.changeKeys(
    domain,
    keys.filter((other) => other !== key),
  );
  return written(null);
}

function isForeign({ origin }: ZoneKey): boolean {
  return origin === 'foreign';
}

/** A key that signs here stays what it is if somebody sends it as that of another provider. */
function isSameKey(a: ZoneKey, b: ZoneKey): boolean {
  return isForeign(a) === isForeign(b) && publicPartOf(a).dnskey === publicPartOf(b).dnskey;
}
