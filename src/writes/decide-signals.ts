/**
 * Signalling records (RFC 9615): copies of the CDS and CDNSKEY records of a domain in the signalling domains of its
 * nameservers, for as long as it waits for its first DS record. What has to stand there follows from committed rows alone, so
 * that a command can be repeated, by other processes too.
 */
import type { Steps } from '../base/steps.ts';
import { rrType } from '../dns/codes.ts';
import { domainNameAt, formatDomainName, lowerDomainName } from '../dns/name.ts';
import { formatRdata } from '../dns/rdata/rdata.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { APEX } from '../model/record-name.ts';
import type { DomainRecord } from '../model/record.ts';
import { refuseUnknownDomain } from '../model/refuse-unknown.ts';
import { written, type WriteResult } from '../model/result.ts';
import { isSameContent } from '../model/same-content.ts';
import { isServed } from '../model/withholding.ts';
import { nameserverOf, parseSignalName } from '../model/signal-name.ts';
import type { CommandOf, SignalsUpdated } from './command.ts';
import { createRecord } from './decide-record.ts';
import type { PendingBatch } from './pending-batch.ts';
import { refuseUnavailable } from './signing/find-signing-refusal.ts';
import { visitAll } from './signing/visit-all.ts';

/** With all records replaced and signed, below `LARGE_SIGNED_ROWS`: such a command holds nobody up. */
export const MAX_SIGNALS_AT_ONCE = 20;

/** CDS and CDNSKEY of the own key and of four foreign ones, and of a key that comes in. */
export const IDS_PER_SIGNAL = 12;

/** Notes that nobody has to vouch for the domain any more; changes nothing if it has begun to wait again. */
export function decideEndDsWait(
  { domain: name, sinceSeconds }: CommandOf<'endDsWait'>,
  batch: PendingBatch,
): WriteResult<{ readonly ended: boolean }> {
  const domain = batch.findDomain(name);
  if (domain === undefined) return refuseUnknownDomain(name);
  if (domain.awaitsDsSinceSeconds !== sinceSeconds) return written({ ended: false }, false);
  if (!batch.signing.canSign(domain)) return refuseUnavailable();
  batch.signing.endDsWait(domain);
  return written({ ended: true });
}

export function* decideUpdateSignals(
  command: CommandOf<'updateSignals'>,
  batch: PendingBatch,
): Steps<WriteResult<SignalsUpdated>> {
  const signalling = batch.findDomain(command.domain);
  if (signalling === undefined) return refuseUnknownDomain(command.domain);
  // Another signer would have to sign the records.
  if (signalling.presignedUntilSeconds !== null) return written({ updated: 0, refused: 0 }, false);
  const wanted = new Map<ZoneName, readonly DomainRecord[]>();
  yield* visitAll(command.about, (name) => {
    const domain = command.isSurplus ? undefined : batch.findDomain(name);
    wanted.set(name, domain === undefined ? [] : findSources(domain, signalling, batch));
  });
  // As above, a reader learns of all missing rows at once.
  yield* visitAll(command.about, (name) => readSignals(name, signalling, batch));
  const ids = command.ids.values();
  let updated = 0;
  let refused = 0;
  for (const [name, sources] of wanted) {
    const outcome = updateSignals(name, sources, signalling, ids, batch);
    if (outcome === 'updated') updated++;
    if (outcome === 'refused') refused++;
  }
  return written({ updated, refused }, batch.hasWritten());
}

/** The records of the domain that are to be copied; none if it must not be signalled there. */
function findSources(domain: Domain, signalling: Domain, batch: PendingBatch): readonly DomainRecord[] {
  const nameserver = nameserverOf(signalling.name);
  if (nameserver === undefined || !isSigned(signalling) || !isSigned(domain)) return [];
  if (domain.awaitsDsSinceSeconds === null || !isServed(domain)) return [];
  const generated = batch.signing.apexRowsOf(domain);
  const own = batch.recordsAt(domain, APEX).all;
  const isOnIt = [...own, ...generated].some((record) => namesHost(record, nameserver));
  return isOnIt ? generated.filter(({ type }) => isSignalType(type)) : [];
}

function isSigned({ denial, withdrawnAtSeconds }: Domain): boolean {
  return denial !== null && withdrawnAtSeconds === null;
}

function isSignalType(type: number): boolean {
  return type === rrType.CDS || type === rrType.CDNSKEY;
}

function namesHost({ type, rdata }: DomainRecord, host: string): boolean {
  if (type !== rrType.NS) return false;
  const name = domainNameAt(rdata, 0);
  return name !== undefined && formatDomainName(lowerDomainName(name)) === `${host}.`;
}

function readSignals(about: ZoneName, signalling: Domain, batch: PendingBatch): readonly DomainRecord[] {
  const signal = parseSignalName(about, signalling.name);
  if (signal === undefined) return [];
  return batch.recordsAt(signalling, signal.owner).all.filter(({ type }) => isSignalType(type));
}

function updateSignals(
  about: ZoneName,
  sources: readonly DomainRecord[],
  signalling: Domain,
  ids: Iterator<string>,
  batch: PendingBatch,
): 'updated' | 'unchanged' | 'refused' {
  const signal = parseSignalName(about, signalling.name);
  if (signal === undefined) return sources.length === 0 ? 'unchanged' : 'refused';
  const wanted = sources.map((source) => ({ ...source, ...signal, data: shownData(source), priority: -1 }));
  const standing = readSignals(about, signalling, batch);
  const surplus = standing.filter((record) => !wanted.some((other) => isSameContent(record, other)));
  const missing = wanted.filter((record) => !standing.some((other) => isSameContent(record, other)));
  let isRefused = false;
  for (const record of surplus) batch.deleteRecord(signalling, record);
  for (const record of missing) {
    const id = ids.next();
    if (id.done === true || !createRecord(signalling, { ...record, id: id.value }, batch).ok)
      isRefused = true;
  }
  if (isRefused) return 'refused';
  return surplus.length + missing.length === 0 ? 'unchanged' : 'updated';
}

function shownData({ type, rdata }: DomainRecord): string {
  return formatRdata(type, rdata);
}
