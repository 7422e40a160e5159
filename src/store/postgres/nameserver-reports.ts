import type { ReadConnections } from './read-connections.ts';

/** How far a nameserver process says it has come. */
export interface NameserverReport {
  /** Of its data folder. */
  readonly id: string;
  readonly name: string;
  /** The last change that it serves. */
  readonly seq: number;
  /** How long ago it said so, by the database's clock. */
  readonly ageMs: number;
}

/** All nameserver processes, whether they live or not, by name. */
export async function readNameserverReports(
  connections: ReadConnections,
): Promise<readonly NameserverReport[]> {
  const rows = await connections.query<readonly [string, string, number, number]>(reportsQuery);
  return rows.map(([id, name, seq, ageMs]) => ({ id, name, seq, ageMs }));
}

const reportsQuery = `
  SELECT id, name, seq, (extract(epoch FROM now() - seen_at) * 1000)::bigint
  FROM nameservers ORDER BY name, id`;
