// Imports a whole zone, sent as a zone file or as a list of records.
import { nextTurn, runInSteps } from '../base/steps.ts';
import { checkZone } from '../checks/check-zone.ts';
import { measureGenerated } from '../dns/zone-file/measure-generated.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import type { RecordsChanged } from '../model/record-changes.ts';
import type { DomainRecord } from '../model/record.ts';
import type { WriteResult } from '../model/result.ts';
import { soaOf, type SoaFields } from '../model/soa.ts';
import type { Adjustment } from '../model/import-adjustments.ts';
import type { SkippedRecord } from '../model/zone-file-records.ts';
import type { ZoneWarning } from '../model/zone-warning.ts';
import type { CommandOf } from '../writes/command.ts';
import { isApexNs, replacesNameservers } from '../writes/replaces-nameservers.ts';
import { findCostRefusal } from './account-limits.ts';
import { readApexNameservers } from './apex-nameservers.ts';
import { commitWrite } from './commit-write.ts';
import { findImportTarget, type ImportTarget } from './import-target.ts';
import { listAdjustments } from './list-adjustments.ts';
import { nameTermsOf } from './name-terms.ts';
import type { OperationContext } from './operation-context.ts';
import { useZone } from './read-zone.ts';
import { placeProblems, readZoneContent, type ReadContent, type ZoneContent } from './read-zone-content.ts';
import { termsOf, type Requester } from './requester.ts';
import { runForClient } from './run-for-client.ts';
import { withShare } from './with-share.ts';
import { generatedWeight, zoneWeight } from './work-weights.ts';
import { afterCommit, findWarnings, foreseeWarnings } from './zone-warnings.ts';

export interface ZoneImport {
  /**
   * `replace` deletes all other records of the domain, except its own NS records if none of them or of the service's is
   * sent; `merge` deletes nothing.
   */
  readonly mode: 'replace' | 'merge';
  readonly content: ZoneContent;
  /** Creates a missing domain in the same step. */
  readonly isCreating?: boolean;
}

export interface ImportedZone {
  readonly changed: RecordsChanged;
  /** Records of the zone file that were not imported. */
  readonly skipped: readonly SkippedRecord[];
  /** Differences between what was sent and what is stored. */
  readonly adjusted: readonly Adjustment[];
  /** For the whole domain after the import. */
  readonly warnings: readonly ZoneWarning[];
}

/** Importing the same content again changes nothing. Reports all problems at once. */
export async function importZone(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  imported: ZoneImport,
): Promise<WriteResult<ImportedZone>> {
  // Before the content is read, which may take a while.
  const found = await findImportTarget(context, caller, domainText, imported.isCreating ?? false);
  if (!found.ok) return found;
  const { getSignal } = caller;
  const { content, mode } = imported;
  const isText = typeof content === 'string';
  const generated = isText
    ? await runForClient(measureGenerated(content), getSignal)
    : { records: 0, characters: 0 };
  const existing = found.value.domain;
  // Replaced records are part of the result, and a dry run foresees the warnings of the whole domain.
  const isWhole = mode === 'replace' || caller.terms?.dryRun === true;
  const octets = generatedWeight(generated) + (existing === null || !isWhole ? 0 : zoneWeight(existing));
  return await withShare(context, caller, octets, (sharing) =>
    importContent(context, sharing, found.value, imported),
  );
}

async function importContent(
  context: OperationContext,
  caller: Requester,
  target: ImportTarget,
  { mode, content }: ZoneImport,
): Promise<WriteResult<ImportedZone>> {
  const { name: domain, domain: existing } = target;
  const nameservers = existing === null ? [] : await readApexNameservers(context, existing);
  const hosts = nameservers.map(({ data }) => data);
  const read = await readZoneContent(context, domain, content, caller.getSignal, hosts);
  if (!read.ok) return read;
  const { records } = read.value;
  // The domain is checked as a whole, whatever of it is imported.
  const rows = records.length + (existing?.recordCount ?? 0);
  const refusal = await findCostRefusal(context, caller, { rows, octets: existing?.octets ?? 0 });
  if (refusal !== undefined) return refusal;
  return commitImport(context, caller, target, mode, read.value);
}

async function commitImport(
  context: OperationContext,
  caller: Requester,
  target: ImportTarget,
  mode: ZoneImport['mode'],
  read: ReadContent,
): Promise<WriteResult<ImportedZone>> {
  const { name: domain, domain: existing, nameservers } = target;
  const { records, skipped, places } = read;
  const soa = newSoaFields(context, existing ?? newDomainHead(domain), read.soa);
  const terms = { ...termsOf(context, caller), ...nameTermsOf(context, caller, domain) };
  const serviceNameservers = context.settings.nameservers.map((host) => host.toLowerCase());
  const importing = { mode, records, serviceNameservers };
  const kept = await findKept(context, caller, target, importing);
  const command = {
    kind: 'importZone',
    ...terms,
    ...importing,
    domain,
    soa,
    nameservers,
  } as const;
  const writing = commitWrite(context, command);
  const checking = kept === null ? null : checkMeanwhile(domain, [...kept, ...records]);
  // It may fail before anything waits for it.
  checking?.catch(() => undefined);
  const result = await writing;
  if (!result.ok) return { ok: false, refusal: placeProblems(result.refusal, places) };
  const { difference } = result;
  const { accountId, getSignal, share } = caller;
  const zone = { accountId, name: domain, getSignal, share };
  const isAllNew = result.value.created.length === records.length;
  const warnings =
    difference !== undefined
      ? await foreseeWarnings(context, zone, difference, nameservers)
      : await afterCommit(isAllNew && checking !== null ? checking : findWarnings(context, zone));
  const adjusted = listAdjustments(domain, read, result.value);
  return { ...result, value: { changed: result.value, skipped, adjusted, warnings } };
}

/** A domain with at most so many records and octets is treated like a new one. */
const FEW_RECORDS = 100;
const FEW_OCTETS = 64 * 1024;

type Importing = Pick<CommandOf<'importZone'>, 'mode' | 'records'> & {
  readonly serviceNameservers: readonly string[];
};

/**
 * Returns the records that remain beside the imported ones; null if the domain is so large that only the write itself can
 * tell.
 */
async function findKept(
  context: OperationContext,
  { getSignal, share }: Requester,
  { name, domain, nameservers = [] }: ImportTarget,
  { mode, records: sent, serviceNameservers }: Importing,
): Promise<readonly DomainRecord[] | null> {
  if (domain === null) return nameservers;
  if (domain.recordCount > FEW_RECORDS || domain.octets > FEW_OCTETS) return null;
  // So few records need no more memory than the request has. It must not wait for more: others may wait for what it has.
  const zone = { accountId: domain.accountId, name, getSignal, share };
  const read = await useZone(context, zone, ({ records: all }) => all);
  if (!read.ok) return null;
  const records = read.value;
  if (mode === 'merge') return records;
  return replacesNameservers(sent, records, serviceNameservers) ? [] : records.filter(isApexNs);
}

/** Checks the zone while the store decides and commits: for a large zone, both take equally long, on two processors. */
async function checkMeanwhile(
  zone: ZoneName,
  records: readonly DomainRecord[],
): Promise<readonly ZoneWarning[]> {
  // Lets the write be sent first.
  await nextTurn();
  return runInSteps(checkZone(zone, records));
}

type SoaHead = Pick<Domain, 'name' | 'serial' | 'soaPrimary' | 'soaEmail'>;

function newDomainHead(name: ZoneName): SoaHead {
  return { name, serial: 0, soaPrimary: null, soaEmail: null };
}

/** Leaves out fields that are served already, so that the service's defaults remain defaults. */
function newSoaFields(context: OperationContext, head: SoaHead, sent: SoaFields | null): SoaFields | null {
  if (sent === null) return null;
  const { soaPrimary, soaEmail } = sent;
  const served = soaOf(head, context.settings.soa);
  return {
    ...(soaPrimary !== undefined && soaPrimary !== served.primary && { soaPrimary }),
    ...(soaEmail !== undefined && soaEmail !== served.email && { soaEmail }),
  };
}
