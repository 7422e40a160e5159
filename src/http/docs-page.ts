// The reference page: Swagger UI over the OpenAPI document, everything from this server, so that it works offline.
import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../contract/open-api.ts';

export const docsPath = '/docs';

/** In a scope of its own: its hooks run for nothing else. */
export function registerDocsPage(app: FastifyInstance): void {
  app.register(async (docs) => {
    docs.addHook('onRequest', (request, reply, next) => {
      reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' });
      next();
    });
    await docs.register(fastifySwagger, {
      mode: 'static',
      specification: { document: openApiDocument() as never },
    });
    await docs.register(fastifySwaggerUi, {
      routePrefix: docsPath,
      staticCSP: {
        'default-src': "'self'",
        'img-src': ["'self'", 'data:'],
        // Swagger UI sets styles from its script.
        'style-src': ["'self'", "'unsafe-inline'"],
        'object-src': "'none'",
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
      },
      theme: { title: 'Zonewright API' },
      // Without the bar on top, which is the library's own and offers to load other documents.
      uiConfig: {
        layout: 'BaseLayout',
        deepLinking: true,
        displayRequestDuration: true,
        tryItOutEnabled: true,
      },
    });
  });
}
