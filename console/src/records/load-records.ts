import type { RecordJson } from '../../../src/contract/response-shapes.ts';
import { collectPages, FIRST_ROWS } from '../service/collect-pages.ts';
import { service } from '../service/service-client.ts';
import { WaitCancelled } from '../service/waits.ts';
import { plainTag, type RecordSet } from './record-set.ts';

/**
 * Reads all records of a domain: the first page, and if there are more, all of them with one request.
 *
 * @param onFirst called with the first page if there are more
 */
export async function loadRecords(
  domain: string,
  onFirst: (part: RecordSet) => void,
  signal: AbortSignal,
): Promise<RecordSet> {
  const { etag, serial } = await service.domains.version(domain);
  const version = { revision: plainTag(etag), serial };
  const first: RecordJson[] = [];
  for await (const record of service.records.list(domain)) {
    first.push(record);
    if (first.length === FIRST_ROWS) break;
  }
  if (first.length < FIRST_ROWS) return { ...version, records: first, isPart: false };
  signal.throwIfAborted();
  onFirst({ ...version, records: first, isPart: true });
  try {
    return await readExport(domain, signal);
  } catch (error) {
    if (signal.aborted || error instanceof WaitCancelled) throw error;
    // Pages are slower, but go through where the service has no room for an export, or a line is too slow for it.
    const records = await collectPages(service.records.list(domain), () => undefined, signal);
    return { ...version, records, isPart: false };
  }
}

async function readExport(domain: string, signal: AbortSignal): Promise<RecordSet> {
  const { etag, serial, slices } = await service.records.export(domain, { signal });
  const records: RecordJson[] = [];
  for await (const slice of slices) {
    signal.throwIfAborted();
    for (const record of slice) records.push(record);
  }
  return { revision: plainTag(etag), serial, records, isPart: false };
}
