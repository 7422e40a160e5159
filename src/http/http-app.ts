// The HTTP application, without a socket:
//
//   request ─▶ route ─▶ key ─▶ rate limit ─▶ scope ─▶ body ─▶ handler: parse JSON ─▶ operation ─▶ answer
//                └─▶ unknown route: key and rate limit, then 404 or 405
//
// Never decides what a customer may do: operations and model do.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { registerApi } from './api-routes.ts';
import type { Answer } from './answer.ts';
import { createBareApp } from './bare-app.ts';
import { builtConsole, registerConsole } from './console-page.ts';
import { registerDescription } from './description-route.ts';
import { registerDocsPage } from './docs-page.ts';
import { allowOrigins, createCrossOriginHeaders, findPreflightAnswer } from './cross-origin.ts';
import type { HttpAppOptions } from './http-app-options.ts';
import { registerOidcCallback } from './oidc-callback.ts';
import { registerMetricsRoute } from './metrics-route.ts';
import { registerServiceRoutes } from './service-routes.ts';

/** The application is ready for `inject`, or for a server to listen. */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const { admission, context, log, limits, metrics } = options;

  async function findEarlyAnswer(request: FastifyRequest): Promise<Answer | undefined> {
    const preflightAnswer = findPreflightAnswer(request);
    if (preflightAnswer !== undefined) return preflightAnswer;
    const { quota, refusal } = await admission.admit(request.raw);
    request.quota = quota;
    return refusal;
  }

  const crossOriginHeaders = createCrossOriginHeaders(options.corsOrigins ?? []);
  const app = createBareApp({
    log,
    limits,
    requests: metrics?.requests,
    countPeer: admission.countPeer,
    onProxyHeader: options.onProxyHeader,
    secureTransport: options.secureTransport,
    findEarlyAnswer,
    crossOriginHeaders,
  });
  if (crossOriginHeaders !== undefined) allowOrigins(app, crossOriginHeaders, log);
  app.addHook('preClose', (done) => {
    context.propagationWaits.close();
    context.parentLooks.close();
    context.claimLooks.close();
    context.delegationLooks.close();
    context.keySetLooks.close();
    done();
  });
  registerServiceRoutes(app, options);
  if (metrics !== undefined) registerMetricsRoute(app, { metrics, log, access: { admission, context } });
  registerDescription(app, options);
  registerDocsPage(app);
  if (options.console !== undefined)
    registerConsole(app, log, options.console === true ? builtConsole : options.console);
  registerOidcCallback(app, options);
  registerApi(app, options);
  return app;
}
