// The route of the OpenAPI document, which needs no key.
import type { FastifyInstance } from 'fastify';
import { openApiDocument, OPEN_API_PATH } from '../contract/open-api.ts';
import { findRateRefusal } from './admission.ts';
import type { Answer } from './answer.ts';
import type { HttpAppOptions } from './http-app-options.ts';
import { sendAnswer } from './send-answer.ts';

export function registerDescription(app: FastifyInstance, { admission, log }: HttpAppOptions): void {
  // Built on the first request.
  let document: Answer | undefined;
  app.get(OPEN_API_PATH, (request, reply) => {
    request.quota = admission.countAnonymous(request.raw.socket.remoteAddress);
    document ??= { status: 200, body: JSON.stringify(openApiDocument()) };
    sendAnswer(request, reply, findRateRefusal(request.quota) ?? document, log);
  });
}
