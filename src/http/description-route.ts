// The route of the OpenAPI document, which needs no key.
import type { FastifyInstance } from 'fastify';
import { openApiText, OPEN_API_PATH } from '../contract/open-api.ts';
import { findRateRefusal } from './admission.ts';
import { answerMalformed } from './answer.ts';
import type { HttpAppOptions } from './http-app-options.ts';
import { sendAnswer } from './send-answer.ts';

export function registerDescription(app: FastifyInstance, { admission, log }: HttpAppOptions): void {
  app.get(OPEN_API_PATH, (request, reply) => {
    const address = admission.findAddress(request.raw);
    request.quota = address.ok
      ? admission.countAnonymous(address.value)
      : admission.countPeer(request.raw.socket);
    const malformedHeaders = address.ok ? undefined : answerMalformed(address.problem);
    const answer = findRateRefusal(request.quota) ?? malformedHeaders ?? { status: 200, body: openApiText() };
    sendAnswer(request, reply, answer, log);
  });
}
