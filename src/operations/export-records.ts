import type { DomainRecord } from '../model/record.ts';
import type { ReadResult } from '../model/result.ts';
import { limitsInDomain, permitsRecord } from '../model/rights.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import type { Requester } from './requester.ts';
import { streamZone, type StreamedZone } from './stream-zone.ts';

/**
 * Exports all records of a domain by owner, as of one moment, as far as the caller may read them. Like a list of them, it does not
 * appear in the trail.
 *
 * @param formatLines writes some records
 */
export async function exportRecords(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  formatLines: (records: readonly DomainRecord[]) => string,
): Promise<ReadResult<StreamedZone>> {
  const name = parsePathDomain(domainText);
  if (!name.ok) return name;
  const { rights } = caller;
  const isWhole = limitsInDomain(rights, 'records:read', name.value) === null;
  return streamZone(context, caller, name.value, {
    formatHead: () => '',
    formatRecords: (zone, records) =>
      formatLines(
        isWhole ? records : records.filter((record) => permitsRecord(rights, 'records:read', zone, record)),
      ),
  });
}
