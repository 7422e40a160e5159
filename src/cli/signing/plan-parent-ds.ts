import type { RecordChanges } from '../../client/record-batches.ts';
import type { RecordJson } from '../../contract/response-shapes.ts';

export interface WantedDs {
  /** The name of the domain in the parent domain. */
  readonly name: string;
  /** RDATA in presentation format. */
  readonly ds: readonly string[];
  /** Seconds, for records that are created. */
  readonly ttl: number;
  /** Other DS records are deleted. */
  readonly isOnly: boolean;
}

/**
 * Plans how a parent domain gets the DS records of a domain. Existing ones stay, unless the others have to go.
 *
 * @returns undefined if nothing has to change
 */
export function planParentDs(
  existing: readonly RecordJson[],
  { name, ds, ttl, isOnly }: WantedDs,
): RecordChanges | undefined {
  const wanted = new Map(ds.map((data) => [comparable(data), data]));
  const others = existing.filter(({ data }) => !wanted.has(comparable(data)));
  for (const { data } of existing) wanted.delete(comparable(data));
  const deleted = isOnly ? others.map(({ id }) => id) : [];
  if (wanted.size + deleted.length === 0) return undefined;
  return {
    delete: deleted,
    create: Array.from(wanted.values(), (data) => ({ name, type: 'DS', data, ttl })),
  };
}

/** The digest may be written in several parts and in lower case. */
function comparable(data: string): string {
  const [tag, algorithm, digestType, ...digest] = data.trim().split(/\s+/);
  return [tag, algorithm, digestType, digest.join('').toUpperCase()].join(' ');
}
