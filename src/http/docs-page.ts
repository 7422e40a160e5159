// The reference page: Swagger UI over the OpenAPI document. Everything comes from this server, so that it works offline.
// Nothing is read or built before the first request for it.
import type { FastifyInstance } from 'fastify';
import { isKnownTag } from '../contract/entity-tags.ts';
import { openApiText } from '../contract/open-api.ts';
import { createPageFileCache } from './page-file-cache.ts';
import { referencePageFiles } from './reference-page-files.ts';

export const DOCS_PATH = '/docs';

/** Copied beside the built code; from TypeScript sources (tests, benchmarks) read from the development package. */
const filesUrl = import.meta.url.endsWith('.js')
  ? new URL('../reference-page/', import.meta.url)
  : new URL('../../node_modules/@fastify/swagger-ui/static/', import.meta.url);

const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' data:",
  // Swagger UI sets styles from its script.
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Registers the page in its own scope, so that its hooks do not run for other routes. */
export function registerDocsPage(app: FastifyInstance): void {
  const loadFile = createPageFileCache(filesUrl);
  app.register((docs, _options, done) => {
    docs.addHook('onRequest', (request, reply, next) => {
      reply.headers({
        'X-Request-Id': request.id,
        // Browsers ask again, so that they never combine files from before an upgrade with a page from after it.
        'Cache-Control': 'no-cache',
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': contentSecurityPolicy,
      });
      next();
    });
    docs.get(DOCS_PATH, (request, reply) => {
      // Links are relative where the page has a trailing slash, so that a proxy may serve it below a path of its own.
      const { pathname } = new URL(request.url, 'http://localhost');
      return reply
        .type('text/html; charset=utf-8')
        .send(formatPage(pathname.endsWith('/') ? '.' : DOCS_PATH));
    });
    docs.get(`${DOCS_PATH}/json`, (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(openApiText()),
    );
    docs.get(`${DOCS_PATH}/static/initializer.js`, (_request, reply) =>
      reply.type('application/javascript; charset=utf-8').send(INITIALIZER),
    );
    for (const [name, type] of Object.entries(referencePageFiles)) {
      docs.get(`${DOCS_PATH}/static/${name}`, async (request, reply) => {
        const { content, etag } = await loadFile(name);
        reply.header('ETag', etag);
        if (isKnownTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
        return reply.type(type).send(content);
      });
    }
    done();
  });
}

function formatPage(base: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Zonewright API</title>
<link rel="stylesheet" href="${base}/static/swagger-ui.css">
<link rel="stylesheet" href="${base}/static/index.css">
<link rel="icon" type="image/png" href="${base}/static/favicon-32x32.png" sizes="32x32">
<link rel="icon" type="image/png" href="${base}/static/favicon-16x16.png" sizes="16x16">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${base}/static/swagger-ui-bundle.js"></script>
<script src="${base}/static/initializer.js"></script>
</body>
</html>
`;
}

/** `BaseLayout` leaves out the library's own top bar, which offers to load other documents. */
const INITIALIZER = `window.onload = () => {
  const page = new URL(location.pathname.replace(/\\/?$/, '/'), location.href);
  SwaggerUIBundle({
    url: new URL('json', page).href,
    dom_id: '#swagger-ui',
    layout: 'BaseLayout',
    presets: [SwaggerUIBundle.presets.apis],
    deepLinking: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
};
`;
