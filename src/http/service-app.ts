// The HTTP application of a process without the interface for customers: only for supervisors and monitoring.
import type { FastifyInstance } from 'fastify';
import { createBareApp } from './bare-app.ts';
import type { ServiceAppOptions } from './http-app-options.ts';
import { registerMetricsRoute } from './metrics-route.ts';
import { answerUnknownRoute } from './misroute-answer.ts';
import { sendAnswer } from './send-answer.ts';
import { registerServiceRoutes } from './service-routes.ts';

/** All other routes are 404, including those that other processes have. */
export function createServiceApp(options: ServiceAppOptions): FastifyInstance {
  const app = createBareApp({ ...options, requests: options.metrics?.requests });
  app.addHook('onRequest', (request, reply, next) => {
    if (!request.is404) return next();
    sendAnswer(request, reply, answerUnknownRoute(request.method, request.url), options.log);
  });
  registerServiceRoutes(app, options);
  if (options.metrics !== undefined)
    registerMetricsRoute(app, { metrics: options.metrics, log: options.log });
  return app;
}
