import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect } from 'vitest';
import type { Service } from '../harness/service.ts';
import type { Page } from './console-page.ts';

/** The service keeps sessions in memory for five seconds. */
const NOTICED_MS = 30_000;

/** Makes the proof of every session old, as if its user had signed in long ago, and waits until the service sees that. */
export async function ageSessions(service: Service, page: Page): Promise<void> {
  const database = new DatabaseSync(join(service.data, 'zonewright.db'));
  database.exec('UPDATE sessions SET fresh_until = created_at');
  database.close();
  await expect.poll(() => isFresh(page), { timeout: NOTICED_MS }).toBe(false);
}

function isFresh(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const reply = (await (await fetch('/v2/session')).json()) as { session: { date_fresh: string } };
    return Date.parse(reply.session.date_fresh) > Date.now();
  });
}
