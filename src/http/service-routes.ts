// Health and readiness, for supervisors. They need no key.
import type { FastifyInstance } from 'fastify';
import { answerError, type Answer } from './answer.ts';
import type { Readiness, ServiceAppOptions } from './http-app-options.ts';
import { sendAnswer } from './send-answer.ts';
import { HEALTH_PATH, READINESS_PATH } from './service-paths.ts';

export function registerServiceRoutes(
  app: FastifyInstance,
  options: Pick<ServiceAppOptions, 'readiness' | 'log'>,
): void {
  const { readiness, log } = options;
  app.get(HEALTH_PATH, (request, reply) => sendAnswer(request, reply, healthy, log));
  app.get(READINESS_PATH, (request, reply) => sendAnswer(request, reply, answerReadiness(readiness()), log));
}

const healthy: Answer = { status: 200, body: '{"status":"ok"}' };

function answerReadiness({ ready, reason, detail }: Readiness): Answer {
  if (ready) return { status: 200, body: withMembers('{"status":"ready"}', detail) };
  const message = reason ?? 'The service is starting or stopping';
  const notReady = answerError({ code: 'not_ready', message });
  return { ...notReady, body: withMembers(notReady.body, detail) };
}

/** Appends members to the text of a JSON object. */
function withMembers(object: string, members: object): string {
  const text = JSON.stringify(members);
  return text === '{}' ? object : `${object.slice(0, -1)},${text.slice(1)}`;
}
