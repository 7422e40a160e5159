import { assert } from '../base/assert.ts';
import { firstStep, stepAfter, type Rollover } from '../dnssec/rollover.ts';
import { ALL_USES, hasUse, isNamedAlike, keyUse, type ZoneKey } from '../dnssec/zone-key.ts';
import type { Domain } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import { refuseUnknownDomain } from '../model/refuse-unknown.ts';
import { refused, written, type Refused, type WriteResult } from '../model/result.ts';
import type { CommandOf, CommandResult } from './command.ts';
import { getOwnDomain } from './decide-domain.ts';
import type { PendingBatch } from './pending-batch.ts';
import { usesAt } from './rollover-uses.ts';
import { refuseUnfinished } from './refuse-unfinished.ts';
import { refuseUnavailable } from './signing/find-signing-refusal.ts';

export function decideRollover(
  command: CommandOf<'startRollover' | 'moveRollover' | 'cancelRollover'>,
  batch: PendingBatch,
): CommandResult<typeof command> {
  switch (command.kind) {
    case 'startRollover':
      return startRollover(command, batch);
    case 'moveRollover':
      return moveRollover(command, batch);
    case 'cancelRollover':
      return cancelRollover(command, batch);
  }
}

/** Begins to exchange the key of a signed domain; returns the rollover. */
function startRollover(
  { domain: name, author, id, key }: CommandOf<'startRollover'>,
  batch: PendingBatch,
): WriteResult<Rollover> {
  const found = getOwnDomain(name, author, batch);
  if (!found.ok) return found;
  const domain = found.value;
  const keys = batch.signing.keysOf(domain);
  const refusal = findStartRefusal(domain, keys, key, batch);
  if (refusal !== undefined) return refusal;
  const old = getOwnKey(keys);
  const isShared = keys.length > 1;
  const kind = isShared ? 'shared' : old.algorithm === key.algorithm ? 'key' : 'algorithm';
  const step = firstStep(kind);
  const uses = usesAt(kind, step);
  assert(uses !== undefined, 'the first step of a rollover has uses');
  batch.updateDomain(domain, {});
  const rollover = batch.signing.noteAt(domain, { id, kind, step });
  const others = keys.map((other) => (other === old ? { ...old, uses: uses.old } : other));
  batch.signing.changeKeys(domain, [...others, { ...key, uses: uses.incoming, rollover }]);
  return written(rollover);
}

function findStartRefusal(
  { name, denial, withdrawnAtSeconds, signingWork }: Domain,
  keys: readonly ZoneKey[],
  key: ZoneKey,
  batch: PendingBatch,
): Refused | undefined {
  const domain = quoteText(name);
  if (signingWork !== null) return refuseUnfinished({ name });
  if (denial === null) return refuseConflict(`Domain ${domain} is not signed: it has no key to exchange`);
  if (withdrawnAtSeconds !== null) {
    return refuseConflict(`Signing of domain ${domain} is being withdrawn: its key cannot be exchanged`);
  }
  if (keys.some(({ rollover }) => rollover !== null)) {
    return refuseConflict(`A key of domain ${domain} is being exchanged already`);
  }
  const own = getOwnKey(keys);
  // Each algorithm of the DNSKEY set has to sign everything (RFC 8901 section 4).
  if (keys.length > 1 && own.algorithm !== key.algorithm) {
    return refuseConflict(
      `Domain ${domain} has keys of another provider, which has to sign with the same algorithm: remove them before its own key is exchanged for one of algorithm ${key.algorithm}`,
    );
  }
  if (!hasUse(own, keyUse.ANNOUNCED)) {
    return refuseConflict(
      `The key of domain ${domain} is no longer announced to the parent zone: announce it again before it is exchanged`,
    );
  }
  // The request makes a key that differs from those that it has seen; another one was added meanwhile.
  if (keys.some((other) => isNamedAlike(other, key))) {
    return refused('busy', 'The new key has the tag of another one: repeat the request, which makes another');
  }
  return batch.signing.canSign() ? undefined : refuseUnavailable();
}

/** The key that signs here; of two in a rollover, the older one. */
function getOwnKey(keys: readonly ZoneKey[]): ZoneKey {
  const own = keys.find(isOwn);
  assert(own !== undefined, 'a signed domain has a key of its own');
  return own;
}

function isOwn({ origin }: ZoneKey): boolean {
  return origin !== 'foreign';
}

/** Carries out what the watcher of rollovers has found; changes nothing if the step is another one meanwhile, or held. */
function moveRollover(
  { domain: name, id, step, to }: CommandOf<'moveRollover'>,
  batch: PendingBatch,
): WriteResult<{ readonly moved: boolean }> {
  const domain = batch.findDomain(name);
  if (domain === undefined) return refuseUnknownDomain(name);
  const incoming = findIncoming(batch.signing.keysOf(domain), id);
  if (incoming?.rollover.step !== step) return written({ moved: false }, false);
  if (incoming.rollover.isHeld === true) return written({ moved: false }, false);
  // The step lasts until all signatures are made.
  if (domain.signingWork !== null) return written({ moved: false }, false);
  if (!batch.signing.canSign(domain)) return refuseUnavailable();
  if (to === 'next') moveOn(domain, incoming, batch);
  else batch.signing.changeRollover(domain, { ...incoming.rollover, ...to });
  return written({ moved: true });
}

function moveOn(domain: Domain, incoming: KeyInRollover, batch: PendingBatch): void {
  const { signing } = batch;
  const { id, kind, createdAtSeconds } = incoming.rollover;
  if (kind === 'withdrawal') {
    signing.stop(domain);
    return;
  }
  const step = stepAfter(incoming.rollover);
  if (step === undefined) {
    const others = signing.keysOf(domain).filter((key) => !isOwn(key));
    signing.changeKeys(domain, [...others, { ...incoming, rollover: null }]);
    return;
  }
  const uses = usesAt(kind, step);
  assert(uses !== undefined, 'each step of a rollover has uses');
  const rollover = signing.noteAt(domain, { id, kind, step, createdAtSeconds });
  const keys = signing.keysOf(domain).map((key) => {
    if (!isOwn(key)) return key;
    return key.id === incoming.id ? { ...key, uses: uses.incoming, rollover } : { ...key, uses: uses.old };
  });
  signing.changeKeys(domain, keys);
}

/** Takes back a rollover whose new key no DS record names yet; the caller has looked at the parent zone. */
function cancelRollover(
  { domain: name, author, id }: CommandOf<'cancelRollover'>,
  batch: PendingBatch,
): WriteResult<null> {
  const found = getOwnDomain(name, author, batch);
  if (!found.ok) return found;
  const domain = found.value;
  const keys = batch.signing.keysOf(domain);
  const incoming = findIncoming(keys, id);
  if (incoming === undefined || incoming.rollover.kind === 'withdrawal') {
    return refused(
      'unknown_rollover',
      `No rollover ${quoteText(id)} is in progress for domain ${quoteText(name)}`,
    );
  }
  if (domain.signingWork !== null) return refuseUnfinished(domain);
  if (isBeyondReturn(incoming.rollover)) {
    return refuseConflict(
      `The parent zone of ${quoteText(name)} has the DS record of the new key: the rollover cannot be cancelled any more`,
    );
  }
  batch.updateDomain(domain, {});
  batch.signing.changeKeys(
    domain,
    keys
      .filter((key) => key.id !== incoming.id)
      .map((key) => (isOwn(key) ? { ...key, uses: ALL_USES } : key)),
  );
  return written(null);
}

/** Whether the DS record of the new key has been seen everywhere, so that the old one is gone. */
function isBeyondReturn({ step, untilSeconds }: Rollover): boolean {
  return step === 'signed' || step === 'unpublished' || (step === 'announced' && untilSeconds !== null);
}

type KeyInRollover = ZoneKey & { readonly rollover: Rollover };

function findIncoming(keys: readonly ZoneKey[], id: string): KeyInRollover | undefined {
  return keys.find((key): key is KeyInRollover => key.rollover?.id === id);
}

export function refuseConflict(message: string): Refused {
  return refused('dnssec_conflict', message);
}
