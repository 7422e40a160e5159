import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../base/log.ts';
import { FairSemaphore, type SemaphoreLimits } from '../base/fair-semaphore.ts';
import { answerError } from './answer.ts';
import { sendAnswer } from './send-answer.ts';

/** Large imports in progress. Each takes up to half a gigabyte of memory while it is parsed. No request waits. */
const zoneBodyLimits: SemaphoreLimits = {
  permits: 4,
  // Half of all, so that one account cannot keep the others out.
  permitsPerKey: 2,
  maxWaiting: 0,
  maxWaitingPerKey: 0,
  waitMs: 0,
};

/** Smaller imports take about 20 ms and 10 MB. Copying domains sends many of them, so they are not limited. */
const SMALL_ZONE_OCTETS = 1024 * 1024;

/** Refuses imports, before their bodies are read, if too many are in progress. Runs after the key is authenticated. */
export function createZoneBodyGate(log: Log) {
  const semaphore = new FairSemaphore(zoneBodyLimits);
  return (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    if (Number(request.headers['content-length'] ?? Infinity) <= SMALL_ZONE_OCTETS) {
      next();
      return;
    }
    const release = semaphore.tryAcquire(request.caller?.accountId ?? '');
    if (release === undefined) {
      const message = 'Too many whole zones are being imported; try again';
      sendAnswer(request, reply, answerError({ code: 'busy', message }), log);
      return;
    }
    reply.raw.once('close', release);
    next();
  };
}
