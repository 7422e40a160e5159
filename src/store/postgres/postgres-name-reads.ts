import {
  changesBeforeQuery,
  nameQuery,
  toTypedChange,
  toTypedRecords,
  type NameReads,
  type TypedChangeRow,
  type TypedRecordRow,
} from '../name-reads.ts';
import { keyText } from './key-text.ts';
import type { ReadConnections } from './read-connections.ts';

/** @param read refuses while the store cannot be read */
export function createNameReads(
  connections: ReadConnections,
  read: <T>(read: () => Promise<T>) => Promise<T>,
): NameReads {
  return {
    changesBefore: ({ id }, before, limit) =>
      read(async () => {
        const rows = await connections.query<TypedChangeRow>(changes, [id, before, limit]);
        return rows.map(toTypedChange);
      }),
    recordsAt: ({ id }, owner, limit) =>
      read(async () => {
        const values = [id, keyText(owner), limit];
        return toTypedRecords(await connections.query<TypedRecordRow>(records, values));
      }),
  };
}

const changes = changesBeforeQuery('changes', '$1', '$2', '$3');
const records = nameQuery('records', '$1', '$2', '$3');
