import { runInSteps } from '../base/steps.ts';
import type { DomainRecord } from '../model/record.ts';
import { success, type Result } from '../model/result.ts';
import { findHistoryRefusal, refuseTooLarge } from '../writes/refuse-history.ts';
import { rewindRecords, type ZoneContent } from '../writes/rewind-records.ts';
import type { OnChangesRead, PastMoment, ZoneView } from './zone-view.ts';
import { MAX_ZONE_RECORDS } from '../model/write-limits.ts';

export interface PastContent extends ZoneContent {
  readonly serial: number;
}

/**
 * Reconstructs the content of a domain at an earlier moment, by undoing all later changes. Refused if the history does not
 * reach back far enough.
 *
 * @param onRead called with changes as they are read; may throw to stop
 */
export async function readPastContent(
  view: ZoneView,
  moment: PastMoment,
  onRead?: OnChangesRead,
): Promise<Result<PastContent>> {
  const { domain } = view;
  const then = 'serial' in moment ? `serial ${moment.serial}` : new Date(moment.atMs).toISOString();
  const { serial, ...later } = await view.changesLater(moment, onRead);
  const refusal = findHistoryRefusal(domain, then, later);
  if (refusal !== undefined) return refusal;
  const records: DomainRecord[] = [];
  for await (const slice of view.slices()) records.push(...slice);
  const { soaPrimary, soaEmail } = domain;
  const now = { records, soa: { soaPrimary, soaEmail } };
  const content = await runInSteps(rewindRecords(now, later.changes));
  if (content.records.length > MAX_ZONE_RECORDS) return refuseTooLarge(domain.name, 'brought back');
  return success({ serial, ...content });
}
