// The description of the interface, open to everyone.
import type { FastifyInstance } from 'fastify';
import { openApiDocument, openApiPath } from '../contract/open-api.ts';
import { findRateRefusal } from './admission.ts';
import type { Answer } from './answer.ts';
import type { HttpAppOptions } from './http-app-options.ts';
import { sendAnswer } from './send-answer.ts';

export function registerDescription(app: FastifyInstance, { admission, log }: HttpAppOptions): void {
  const document: Answer = { status: 200, body: JSON.stringify(openApiDocument()) };
  app.get(openApiPath, (request, reply) => {
    request.quota = admission.countAnonymous(request.raw.socket.remoteAddress);
    sendAnswer(request, reply, findRateRefusal(request.quota) ?? document, log);
  });
}
