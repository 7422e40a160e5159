import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../base/log.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { bodyWeight } from '../operations/work-weights.ts';
import './request-state.ts';
import { findRefusal } from '../operations/find-refusal.ts';
import { answerError } from './answer.ts';
import { goneSignal } from './gone-signal.ts';
import { sendAnswer } from './send-answer.ts';
import { whenClosed } from './when-closed.ts';

/**
 * Gives a request its share of the memory for large work, which it keeps until its answer is sent. Lets imports and batches
 * wait before their bodies are read, while others take too much. Runs after the key is authenticated.
 */
export function createZoneBodyGate({ workMemory }: OperationContext, log: Log) {
  /** @param bodyLimit the longest body of the endpoint; a body of unknown length counts as that */
  return (bodyLimit: number) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const length = Math.min(Number(request.headers['content-length'] ?? bodyLimit), bodyLimit);
      const accountId = request.caller?.accountId ?? '';
      try {
        const share = await workMemory.reserve(accountId, bodyWeight(length), () => goneSignal(reply.raw));
        request.share = share;
        whenClosed(reply.raw, () => share.release());
      } catch (error) {
        const refusal = findRefusal(error);
        if (refusal === undefined) throw error;
        sendAnswer(request, reply, answerError(refusal), log);
      }
    };
}
