import type { NameserverReport } from '../store.ts';
import type { ReadConnections } from './read-connections.ts';

/** Reads the reports of all nameserver processes, live or not, sorted by name. */
export async function readNameserverReports(
  connections: ReadConnections,
): Promise<readonly NameserverReport[]> {
  const rows = await connections.query<readonly [string, string, number, number]>(REPORTS_QUERY);
  return rows.map(([id, name, seq, ageMs]) => ({ id, name, seq, ageMs }));
}

const REPORTS_QUERY = `
  SELECT id, name, seq, (extract(epoch FROM now() - seen_at) * 1000)::bigint
  FROM nameservers ORDER BY name, id`;
