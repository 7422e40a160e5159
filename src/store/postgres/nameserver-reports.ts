import type { ReadConnections } from './read-connections.ts';

/** The last report of a nameserver process. */
export interface NameserverReport {
  /** Identifies its data folder. */
  readonly id: string;
  readonly name: string;
  /** The last change that it serves. */
  readonly seq: number;
  /** Age of the report, by the clock of the database. */
  readonly ageMs: number;
}

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
