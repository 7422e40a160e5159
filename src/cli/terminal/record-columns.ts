import type { RecordJson } from '../../contract/response-shapes.ts';
import type { Columns } from './print-list.ts';

/** A record without its id. */
export const contentColumns: Columns<Omit<RecordJson, 'id'>> = {
  name: (record) => formatName(record.name),
  ttl: (record) => String(record.ttl),
  type: (record) => record.type,
  priority: (record) => (record.priority < 0 ? '-' : String(record.priority)),
  data: (record) => record.data,
};

export const recordColumns: Columns<RecordJson> = { id: (record) => record.id, ...contentColumns };

/** The domain itself has an empty name in the API. */
export function formatName(name: string): string {
  return name === '' ? '@' : name;
}

/** One line, as in a zone file. */
export function formatRecord(record: Omit<RecordJson, 'id'>): string {
  const { name, ttl, type, priority, data } = record;
  const words = [
    formatName(name),
    String(ttl),
    type,
    ...(hasPriority(record) ? [String(priority)] : []),
    data,
  ];
  return words.join(' ');
}

/** Other types have no priority (contract rule 23). */
function hasPriority({ type, priority }: Omit<RecordJson, 'id'>): boolean {
  return priority >= 0 && (type === 'MX' || type === 'SRV');
}
