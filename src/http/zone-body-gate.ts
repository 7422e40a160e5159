import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../base/log.ts';
import { FairSemaphore, type SemaphoreLimits } from '../base/fair-semaphore.ts';
import { answerError } from './answer.ts';
import { goneSignal } from './gone-signal.ts';
import { sendAnswer } from './send-answer.ts';

/** The unit of the limits below. */
const PERMIT_OCTETS = 1024 * 1024;

/** A body as records takes about eight times its length: half a gigabyte for the longest one. */
const MEMORY_A_BODY = 8;

/** Copying domains sends many of these, which do not wait for longer ones. */
const SMALL_BODY_OCTETS = 1024 * 1024;

const largeLimits: SemaphoreLimits = {
  /** The longest body and one of a quarter of its length. */
  permits: 640,
  /** The longest body. */
  permitsPerKey: 512,
  // A request that waits has sent only its head.
  maxWaiting: 1024,
  maxWaitingPerKey: 256,
  // Two of the longest bodies.
  waitMs: 10_000,
};

const smallLimits: SemaphoreLimits = {
  ...largeLimits,
  /** 32 bodies of the longest small ones, or 256 short ones. */
  permits: 256,
  /** Half of all, so that one account cannot keep the others out. */
  permitsPerKey: 128,
};

/**
 * Lets imports and batches wait before their bodies are read, while others take too much memory. Runs after the key is
 * authenticated.
 *
 * @param bodyLimit the longest body of the endpoint; a body of unknown length counts as that
 */
export function createZoneBodyGate(log: Log) {
  const large = new FairSemaphore(largeLimits);
  const small = new FairSemaphore(smallLimits);
  return (bodyLimit: number) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const length = Math.min(Number(request.headers['content-length'] ?? bodyLimit), bodyLimit);
      const permits = Math.max(1, Math.ceil((length * MEMORY_A_BODY) / PERMIT_OCTETS));
      const semaphore = length > SMALL_BODY_OCTETS ? large : small;
      const accountId = request.caller?.accountId ?? '';
      const release = await semaphore.acquire(accountId, () => goneSignal(reply.raw), permits);
      if (release === undefined) {
        const message = 'Too many whole zones are being imported; try again';
        sendAnswer(request, reply, answerError({ code: 'busy', message }), log);
      } else if (reply.raw.closed) release();
      else reply.raw.once('close', release);
    };
}
