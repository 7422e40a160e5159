import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../base/log.ts';
import type { KeyScope } from '../model/account.ts';
import { findScopeRefusal } from '../operations/authorise.ts';
import { answerDone } from './answer.ts';
import { sendAnswer } from './send-answer.ts';

/**
 * Turns away keys whose scope does not reach a route, before anything more of the request is read; behind the gate of all
 * requests. The operations obey the same rule, whoever asks them.
 */
export function createScopeGate(needed: KeyScope, log: Log) {
  return (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    const refusal = request.caller === null ? undefined : findScopeRefusal(request.caller, needed);
    if (refusal === undefined) next();
    else sendAnswer(request, reply, answerDone(refusal), log);
  };
}
