import type { FastifyReply, FastifyRequest } from 'fastify';
import { assert } from '../base/assert.ts';
import { parseFlag } from '../contract/parse-flag.ts';
import { authorise, findFreshnessRefusal, type AccessRule } from '../operations/authorise.ts';
import { answerError } from './answer.ts';
import type { HttpAppOptions } from './http-app-options.ts';
import { noteRefused } from './note-refused.ts';
import { sendAnswer } from './send-answer.ts';

/**
 * Refuses keys that may not use a route, before the rest of the request is read. Runs after the hook that authenticates
 * the key.
 *
 * @param rule what the route's endpoint declares
 */
export function createScopeGate(
  rule: AccessRule & { readonly id: string },
  { context, log }: Pick<HttpAppOptions, 'context' | 'log'>,
) {
  return (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    if (rule.needs === 'anyone') return next();
    assert(request.caller !== null, 'requests without a valid key are already refused');
    const { domain, id } = request.params as { readonly domain?: string; readonly id?: string };
    const dryRun = parseFlag(request.query as Readonly<Record<string, unknown>>, 'dry_run');
    const refusal =
      authorise(request.caller, rule, { domain, id, isDryRun: dryRun.ok && dryRun.value }) ??
      findFreshnessRefusal(request.caller, rule, Math.floor(context.clock.nowMs() / 1000));
    if (refusal === undefined) next();
    else {
      const answer = answerError(refusal);
      noteRefused(context, request, rule, answer);
      sendAnswer(request, reply, answer, log);
    }
  };
}
