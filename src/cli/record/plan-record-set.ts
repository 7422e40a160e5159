import type { RecordChanges } from '../../client/record-batches.ts';
import type { RecordJson } from '../../contract/response-shapes.ts';
import { readTextData } from './read-text-data.ts';

export interface WantedSet {
  readonly name: string;
  readonly type: string;
  /** The data of each record; that of MX and SRV begins with the priority. */
  readonly data: readonly string[];
  /** Seconds; undefined: that of the existing records, or else `defaultTtl`. */
  readonly ttl: number | undefined;
  /** Seconds; undefined: the server's default. */
  readonly defaultTtl: number | undefined;
}

/**
 * Plans how the records of one name and type become the wanted ones. Records with the wanted data keep their ids. Data is
 * compared as text: the same data in another notation is deleted and created again.
 *
 * @returns undefined if nothing has to change
 */
export function planRecordSet(existing: readonly RecordJson[], wanted: WantedSet): RecordChanges | undefined {
  const { name, type } = wanted;
  const ttl = wanted.ttl ?? existing.at(0)?.ttl ?? wanted.defaultTtl;
  const missing = new Set(wanted.data);
  const [kept, surplus]: [RecordJson[], RecordJson[]] = [[], []];
  for (const record of existing) {
    const match = [...missing].find((data) => hasData(record, data));
    if (match === undefined) surplus.push(record);
    else {
      missing.delete(match);
      kept.push(record);
    }
  }
  const others = kept.filter((record) => ttl !== undefined && record.ttl !== ttl);
  if (surplus.length + missing.size + others.length === 0) return undefined;
  return {
    delete: surplus.map(({ id }) => id),
    update: others.map(({ id }) => ({ id, ttl })),
    create: Array.from(missing, (data) => ({ name, type, data, ttl })),
  };
}

function hasData({ type, priority, data }: RecordJson, wanted: string): boolean {
  const shown = type === 'MX' || type === 'SRV' ? `${priority} ${data}` : data;
  const text = wanted.trim();
  if (type === 'TXT') return readTextData(shown) === readTextData(text);
  return shown === text || (caselessTypes.has(type) && comparable(shown) === comparable(text));
}

/** Their data consists of addresses, numbers and names; the data of other types may have text whose case matters. */
const caselessTypes: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'DNAME', 'MX', 'NS', 'PTR', 'SRV']);

/** Names are shown without a final dot, and their case does not matter. */
function comparable(data: string): string {
  return data.toLowerCase().replace(/\.$/, '');
}
