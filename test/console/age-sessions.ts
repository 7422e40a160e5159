import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Service } from '../harness/service.ts';

/** Sessions are read again after five seconds: longer than the service keeps them in memory. */
export const NOTICED_MS = 6_000;

/** Makes the proof of every session ten minutes old, as if its user had signed in then. */
export function ageSessions(service: Service): void {
  const database = new DatabaseSync(join(service.data, 'zonewright.db'));
  database.exec('UPDATE sessions SET fresh_until = created_at');
  database.close();
}
