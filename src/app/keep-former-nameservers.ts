import type { Logger } from 'pino';
import type { NameserverSets } from '../claims/nameserver-sets.ts';

/**
 * Notes which nameservers domains get while accounts have none of their own. A failure is reported: the next start notes them.
 *
 * @param stopping aborted before the store is closed
 */
export async function keepFormerNameservers(
  sets: Pick<NameserverSets, 'keepFormer'>,
  log: Logger,
  stopping: AbortSignal,
): Promise<void> {
  try {
    await sets.keepFormer();
  } catch (error) {
    if (!stopping.aborted)
      log.warn({ err: error }, 'the nameservers of the service could not be noted in the store');
  }
}
