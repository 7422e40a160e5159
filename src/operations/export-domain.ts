import type { ReadResult } from '../model/result.ts';
import type { PastMoment } from '../store/zone-view.ts';
import { exportSignedZone } from './export-signed-zone.ts';
import { exportZone } from './export-zone.ts';
import type { OperationContext } from './operation-context.ts';
import type { Requester } from './requester.ts';
import type { StreamedZone } from './stream-zone.ts';

export interface ExportChoice {
  /** Undefined: now. */
  readonly moment: PastMoment | undefined;
  /** With everything that signing adds. */
  readonly isSigned: boolean;
}

/** Exports a domain as a zone file, and notes that in the trail of its account. */
export async function exportDomain(
  context: OperationContext,
  caller: Requester,
  domain: string,
  { moment, isSigned }: ExportChoice,
): Promise<ReadResult<StreamedZone>> {
  const run = isSigned ? exportSignedZone : exportZone;
  const exported = await run(context, caller, domain, moment);
  if (exported.ok) {
    const { accountId, name } = exported.value.domain;
    const detail = { ...shownMoment(moment), dnssec: isSigned || undefined };
    context.trail.note(caller, { accountId, action: 'domain.export', object: name, detail });
  }
  return exported;
}

function shownMoment(moment: PastMoment | undefined): { readonly serial?: number; readonly at?: string } {
  if (moment === undefined) return {};
  return 'serial' in moment ? moment : { at: new Date(moment.atMs).toISOString() };
}
