// Signing in a batch: what is decided is brought into the rows that only the service writes.
//
//   commands ─▶ PendingDomain (records, wanted denial, keys) ─▶ sign() ─▶ generated rows: hash, feed, writes
//
// Signs with the functions that it is given: it holds no private key, and knows no cryptography.
import { assert } from '../base/assert.ts';
import { finishSteps, type Steps } from '../base/steps.ts';
import type { Denial } from '../dns/proven-types.ts';
import { latestRenewalSeconds, nextRenewalSeconds } from '../dnssec/signature-times.ts';
import { firstStep, type Rollover } from '../dnssec/rollover.ts';
import { isSigning, signatureCostOf, type ZoneKey } from '../dnssec/zone-key.ts';
import { unsigned, type Domain, type ZoneName } from '../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import type { PresignedPart } from './command.ts';
import type { Refused } from '../model/result.ts';
import { isSameWork, startWork, type SigningWork } from '../model/signing-work.ts';
import type { PendingDomain } from './pending-domain.ts';
import type { PendingDomains } from './pending-domains.ts';
import type { PendingFeed } from './pending-feed.ts';
import { keySetRows } from './signing/apex-rows.ts';
import type { BatchSigning } from './signing/batch-signing.ts';
import { refuseDoubtfulClock, weighSigning } from './signing/find-signing-refusal.ts';
import { renewSignatures, type RenewedSignatures } from './signing/renew-signatures.ts';
import { extentOf } from './signing/signed-extent.ts';
import { ownersAbove } from './signing/owners-above.ts';
import { signDomain } from './signing/sign-domain.ts';
import { sliceLimits } from './signing/slice-limits.ts';
import { takeSlice } from './signing/walk-names.ts';

/** Signing a name takes as long as copying so many octets: 8 MiB are 2,000 names, or a hundred milliseconds. */
const SIGNED_NAME_OCTETS = 4096;

/** Which domains of a batch are signed, and their signatures, which are made when all commands are decided. */
export class PendingSigning {
  private readonly domains: PendingDomains;
  private readonly feed: PendingFeed;
  private readonly given: BatchSigning | undefined;
  /** The names to sign of commands that were kept, and of the current one, roughly; those of slow keys count more often. */
  private names = 0;
  private namesOfCommand = 0;
  /** The end of signing: with an error of the store, or a bug. Undefined before. */
  private signed: { readonly error?: unknown } | undefined;

  /** @param given undefined: no write to a signed domain is possible */
  constructor(domains: PendingDomains, feed: PendingFeed, given: BatchSigning | undefined) {
    this.domains = domains;
    this.feed = feed;
    this.given = given;
  }

  begin(): void {
    this.namesOfCommand = 0;
  }

  keep(): void {
    this.names += this.namesOfCommand;
  }

  /** A measure of the work of signing, as octets that are copied in the same time. */
  get octets(): number {
    return this.names * SIGNED_NAME_OCTETS;
  }

  /** Whether this process can sign the domain, or domains at all. */
  canSign(domain?: Domain): boolean {
    if (this.given === undefined) return false;
    const { signer } = this.given;
    return domain === undefined || this.keysOf(domain).every((key) => !isSigning(key) || signer.opens(key));
  }

  /** The keys of a domain, the oldest first; none of one that is not signed, nor about to be. */
  keysOf(domain: Domain): readonly ZoneKey[] {
    const { current, keys } = this.domains.get(domain);
    return extentOf(current) === undefined ? [] : keys.all();
  }

  /** Says why the current command leaves the domain so that it cannot be signed. Call it when the command is decided. */
  findRefusal(name: ZoneName): Refused | undefined {
    const domain = this.domains.find(name);
    if (domain === undefined) return undefined;
    const pending = this.domains.get(domain);
    const fault = this.given?.clockFault;
    if (fault !== undefined && isToBeSigned(pending)) return refuseDoubtfulClock(name, fault);
    if (!this.feed.hasEntriesOfCommand()) return undefined;
    const weighed = weighSigning(pending, this.feed.ofCommand(), this.given);
    if (!weighed.ok) return weighed;
    this.namesOfCommand += weighed.value;
    return undefined;
  }

  /**
   * Whether the domain has writes that are still to be signed. Deleted domains are not signed: their signatures have to fit
   * before they are deleted.
   */
  isDue(name: ZoneName): boolean {
    const domain = this.domains.find(name);
    return domain !== undefined && this.domains.get(domain).needsSigning();
  }

  /** Adds nothing to the feed, as the other changes of keys here. */
  start(domain: Domain, denial: Denial, key: ZoneKey): void {
    const pending = this.domains.get(domain);
    pending.keys.set([key]);
    if (this.isLarge(domain, denial)) {
      pending.change({ signingWork: startWork('sign', denial, this.nowSeconds) });
      return;
    }
    const renewAtSeconds = nextRenewalSeconds(domain.id, this.nowSeconds);
    pending.change({ denial, renewAtSeconds, awaitsDsSinceSeconds: this.nowSeconds });
  }

  /** Forgets the keys: a domain that is signed later gets a new one. */
  stop(domain: Domain): void {
    const pending = this.domains.get(domain);
    const { denial, signingWork } = pending.current;
    const isInSlices = signingWork !== null || (denial !== null && this.isLarge(domain, denial));
    pending.raiseServedSerial();
    pending.keys.set([]);
    pending.setPresignedRows(undefined);
    pending.change({
      ...unsigned,
      signingWork: isInSlices ? startWork('remove', null, this.given?.nowSeconds ?? 0) : null,
    });
  }

  /** Signs a zone from now on that was signed elsewhere. @param keys the first one signs */
  takeOver(domain: Domain, keys: readonly ZoneKey[], denial: Denial): void {
    const pending = this.domains.get(domain);
    const renewAtSeconds = nextRenewalSeconds(domain.id, this.nowSeconds);
    pending.keys.set(keys);
    pending.setPresignedRows(undefined);
    pending.change({ ...unsigned, denial, renewAtSeconds });
    this.namesOfCommand += domain.recordCount * signatureCostOf(keys);
  }

  /** The first write of a batch to a domain whose SOA record another signer has signed. */
  takeSerial(domain: Domain, serial: number): void {
    this.domains.get(domain).takeSerial(serial);
  }

  /** Replaces everything that signing has added by what another signer has. Call `takeSerial` first. */
  takePresigned(domain: Domain, { denial, rows, keys, untilSeconds }: PresignedPart): void {
    const pending = this.domains.get(domain);
    pending.keys.set(keys);
    pending.setPresignedRows(rows);
    pending.change({ ...unsigned, denial, presignedUntilSeconds: untilSeconds });
    // A row takes a fifth of the time of signing a name.
    this.namesOfCommand += Math.ceil(rows.length / 5);
  }

  /** Goes on to sign, and asks the parent zone to remove its DS records. */
  withdraw(domain: Domain, id: string): void {
    const rollover = this.noteAt(domain, { id, kind: 'withdrawal', step: firstStep('withdrawal') });
    const own = this.keysOf(domain).find(({ origin }) => origin !== 'foreign');
    this.changeKeys(
      domain,
      this.keysOf(domain).map((key) => (key === own ? { ...key, rollover } : key)),
    );
    this.domains.get(domain).change({ withdrawnAtSeconds: this.nowSeconds, awaitsDsSinceSeconds: null });
  }

  /** Ends the withdrawal of signing. Meanwhile, the DS record may have gone. */
  goOn(domain: Domain): void {
    const keys = this.keysOf(domain).map((key) => ({ ...key, rollover: null }));
    this.changeKeys(domain, keys);
    this.domains.get(domain).change({ withdrawnAtSeconds: null, awaitsDsSinceSeconds: this.nowSeconds });
  }

  /** The CDS and CDNSKEY records that the domain has as committed, and the NS records that the service serves in it. */
  apexRowsOf(domain: Domain): readonly DomainRecord[] {
    return keySetRows(this.domains.get(domain));
  }

  /** Signs the whole domain again, with the keys that it has: a large one beside the chain that it has. */
  changeDenial(domain: Domain, denial: Denial): void {
    const pending = this.domains.get(domain);
    if (this.isLarge(domain, denial)) {
      pending.change({ signingWork: startWork('denial', denial, this.nowSeconds) });
      return;
    }
    pending.change({ denial });
    this.namesOfCommand += domain.recordCount * signatureCostOf(pending.keys.all());
  }

  /** The keys as the batch leaves them. The serial must be raised, because other keys are other content. */
  changeKeys(domain: Domain, keys: readonly ZoneKey[]): void {
    const pending = this.domains.get(domain);
    pending.raiseServedSerial();
    pending.keys.set(keys);
    // Other keys may be announced, whose DS records are then looked for.
    if (pending.current.awaitsDsSinceSeconds !== null && this.given !== undefined)
      pending.change({ awaitsDsSinceSeconds: this.nowSeconds });
    const { denial, signingWork } = pending.current;
    if (!pending.keys.areZoneSignersChanged() || signingWork !== null) return;
    if (denial !== null && this.isLarge(domain, denial))
      pending.change({ signingWork: startWork('resign', null, this.nowSeconds) });
    else this.namesOfCommand += domain.recordCount * signatureCostOf(keys);
  }

  /** Replaces the note of a rollover that is in progress. */
  changeRollover(domain: Domain, rollover: Rollover): void {
    const keys = this.keysOf(domain);
    this.changeKeys(
      domain,
      keys.map((key) => (key.rollover?.id === rollover.id ? { ...key, rollover } : key)),
    );
  }

  /** The note of a rollover whose step begins with this batch. */
  noteAt(domain: Domain, step: Pick<Rollover, 'id' | 'kind' | 'step'> & Partial<Rollover>): Rollover {
    const pending = this.domains.get(domain);
    pending.raiseServedSerial();
    const { serial } = pending.current;
    const { nowSeconds } = this;
    return { createdAtSeconds: nowSeconds, ...step, sinceSeconds: nowSeconds, serial, untilSeconds: null };
  }

  /** Notes that the parent zone has the first DS record. */
  endDsWait(domain: Domain): void {
    const pending = this.domains.get(domain);
    pending.raiseServedSerial();
    pending.change({ awaitsDsSinceSeconds: null });
  }

  /**
   * Makes the next slice of the signatures of a large domain. Returns false if the work is another one than was seen, which
   * is the case if another process, or the batch itself, has made that slice.
   */
  takeSlice(domain: Domain, seen: SigningWork): boolean {
    const pending = this.domains.get(domain);
    const { signingWork: work } = pending.current;
    if (work === null || !isSameWork(work, seen) || pending.storedWork === null) return false;
    if (!isSameWork(work, pending.storedWork) || this.given === undefined) return false;
    takeSlice(pending, work, this.given.limits, this.nowSeconds);
    this.namesOfCommand += this.given.limits.names;
    if (pending.current.signingWork === null) this.noteEnd(domain);
    return true;
  }

  /** A step of a rollover that makes all signatures again begins when they are made. */
  private noteEnd(domain: Domain): void {
    const note = this.keysOf(domain).find(({ rollover }) => rollover !== null)?.rollover ?? null;
    if (note === null || note.kind === 'withdrawal') return;
    const { id, kind, step, createdAtSeconds, isHeld } = note;
    const held = isHeld === undefined ? {} : { isHeld };
    this.changeRollover(domain, this.noteAt(domain, { id, kind, step, createdAtSeconds, ...held }));
  }

  /** Whether so many names are to be signed that it is done in slices. */
  private isLarge(domain: Domain, denial: Denial): boolean {
    const pending = this.domains.get(domain);
    const { namesAtOnce } = this.given?.limits ?? sliceLimits;
    const most = namesAtOnce / signatureCostOf(pending.keys.all());
    if (domain.recordCount > most) return true;
    if (denial === 'nsec') return false;
    const owners = new Set<OwnerKey>();
    for (const { owner } of pending.allRecords()) {
      owners.add(owner);
      for (const above of ownersAbove(owner)) owners.add(above);
      if (owners.size > most) return true;
    }
    return false;
  }

  isRenewalDue({ renewAtSeconds }: Domain): boolean {
    if (renewAtSeconds === null) return false;
    return renewAtSeconds <= this.nowSeconds || renewAtSeconds > latestRenewalSeconds(this.nowSeconds);
  }

  /** Makes signatures again that end soon, from a place on. */
  renew(domain: Domain, from: string | undefined): RenewedSignatures {
    const pending = this.domains.get(domain);
    const done = renewSignatures(pending, from, this.nowSeconds);
    this.namesOfCommand += done.renewed * signatureCostOf(pending.keys.all());
    return done;
  }

  /** Signatures are not renewed while a domain is deleted. Those that are too many for one batch are due at once. */
  restore(domain: Domain): void {
    const isSignedHere = domain.denial !== null && domain.presignedUntilSeconds === null;
    if (!isSignedHere || this.given === undefined) return;
    const { next } = this.renew(domain, undefined);
    if (next !== null) this.domains.get(domain).change({ renewAtSeconds: this.nowSeconds });
  }

  /**
   * Signs all domains that the batch has touched. Call it once, after the last command: what it writes cannot be undone. An
   * error is thrown by `finish`: a reader that has to fetch rows first throws one, and the batch is decided again.
   */
  *sign(): Steps<void> {
    if (this.signed !== undefined) return;
    this.signed = {};
    const errors: unknown[] = [];
    const touched = this.domains.touched();
    for (const domain of touched) {
      if (!domain.needsSigning()) continue;
      try {
        yield* signDomain(domain, this.given);
      } catch (error) {
        // As in `visitAll`: the missing rows of all domains are found in one go.
        errors.push(error);
      }
    }
    if (errors.length > 0) this.signed = { error: errors[0] };
    else for (const domain of touched) this.addWrites(domain);
  }

  /** Throws the error of signing. */
  finish(): void {
    finishSteps(this.sign());
    if (this.signed !== undefined && 'error' in this.signed) throw this.signed.error;
  }

  private get nowSeconds(): number {
    assert(this.given !== undefined, 'what cannot be signed is refused before');
    return this.given.nowSeconds;
  }

  /** An entry for each row, in the order in which followers apply them: a former row goes first. */
  private addWrites(domain: PendingDomain): void {
    const atMs = 1000 * (this.given?.nowSeconds ?? 0);
    domain.rehashGenerated();
    for (const [before, after] of domain.generatedWrites()) {
      if (before !== null) this.feed.addGenerated(domain.current, 'recordDelete', before, atMs);
      if (after !== null) this.feed.addGenerated(domain.current, 'recordPut', after, atMs);
    }
  }
}

/** Whether the batch makes signatures for the domain: it has others than those of another signer, and has changed. */
function isToBeSigned(pending: PendingDomain): boolean {
  const { current } = pending;
  return pending.needsSigning() && current.presignedUntilSeconds === null && extentOf(current) !== undefined;
}
