import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../base/log.ts';
import { FairSemaphore, type SemaphoreLimits } from '../base/fair-semaphore.ts';
import { answerError } from './answer.ts';
import { sendAnswer } from './send-answer.ts';

/** Whole zones that are received and read at once, each taking up to half a gigabyte while it is read; nobody waits. */
const zoneBodyLimits: SemaphoreLimits = {
  permits: 4,
  // Half of all, so that one account cannot keep the others out.
  permitsPerKey: 2,
  maxWaiting: 0,
  maxWaitingPerKey: 0,
  waitMs: 0,
};

/** Zones of so many octets are read in some 20 ms and 10 MB: they are many where domains are copied, and need no gate. */
const SMALL_ZONE_OCTETS = 1024 * 1024;

/** Turns whole zones away, before their bodies are read, where too many are under way; behind the gate of all requests. */
export function createZoneBodyGate(log: Log) {
  const semaphore = new FairSemaphore(zoneBodyLimits);
  return (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    if (Number(request.headers['content-length'] ?? Infinity) <= SMALL_ZONE_OCTETS) {
      next();
      return;
    }
    const release = semaphore.tryAcquire(request.caller?.accountId ?? '');
    if (release === undefined) {
      const message = 'Too many whole zones are being imported, try again';
      sendAnswer(request, reply, answerError({ code: 'busy', message }), log);
      return;
    }
    reply.raw.once('close', release);
    next();
  };
}
