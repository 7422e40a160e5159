// The route of the OpenAPI document, which needs no key.
import type { FastifyInstance } from 'fastify';
import { openApiText, OPEN_API_PATH } from '../contract/open-api.ts';
import { findRateRefusal } from './admission.ts';
import type { HttpAppOptions } from './http-app-options.ts';
import { sendAnswer } from './send-answer.ts';

export function registerDescription(app: FastifyInstance, { admission, log }: HttpAppOptions): void {
  app.get(OPEN_API_PATH, (request, reply) => {
    request.quota = admission.countAnonymous(request.raw.socket.remoteAddress);
    const answer = findRateRefusal(request.quota) ?? { status: 200, body: openApiText() };
    sendAnswer(request, reply, answer, log);
  });
}
