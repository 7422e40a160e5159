// What is open to everyone: health for supervisors, and the description of the interface.
import type { FastifyInstance } from 'fastify';
import { openApiDocument, openApiPath } from '../contract/open-api.ts';
import { findRateRefusal } from './admission.ts';
import { answerError, type Answer } from './answer.ts';
import type { HttpAppOptions } from './http-app-options.ts';
import { sendAnswer } from './send-answer.ts';

export const healthPath = '/healthz';
export const readinessPath = '/readyz';

export function registerServiceRoutes(app: FastifyInstance, options: HttpAppOptions): void {
  const { admission, isReady, log } = options;
  const document: Answer = { status: 200, body: JSON.stringify(openApiDocument()) };

  app.get(healthPath, (request, reply) => sendAnswer(request, reply, healthy, log));
  app.get(readinessPath, (request, reply) => sendAnswer(request, reply, isReady() ? ready : notReady, log));
  app.get(openApiPath, (request, reply) => {
    request.quota = admission.countAnonymous(request.raw.socket.remoteAddress);
    sendAnswer(request, reply, findRateRefusal(request.quota) ?? document, log);
  });
}

const healthy: Answer = { status: 200, body: '{"status":"ok"}' };
const ready: Answer = { status: 200, body: '{"status":"ready"}' };
const notReady = answerError({
  code: 'not_ready',
  message: 'The service is starting or stopping',
});
