/**
 * The console: the files of `console/` as Vite has built them, for people with a browser. Everything comes from this server, and
 * nothing is read before the first request for it.
 *
 *     /assets/name-hash.js ─▶ the file, for ever      /theme.js, /favicon.svg ─▶ the file      any other page ─▶ index.html
 *
 * Decides nothing about rights: the pages are the same for everybody, and what they show comes from `/v2`.
 */
import { existsSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isKnownTag } from '../contract/entity-tags.ts';
import type { Log } from '../base/log.ts';
import { answerUnknownRoute, pathOf } from './misroute-answer.ts';
import { createPageFileCache } from './page-file-cache.ts';
import { isForPrograms } from './secure-transport.ts';
import { sendAnswer } from './send-answer.ts';

/** The build puts the files beside the built code. */
export const builtConsole = import.meta.url.endsWith('.js')
  ? new URL('../console/', import.meta.url)
  : new URL('../../dist/console/', import.meta.url);

/**
 * Scripts and styles are files of this origin: nothing inline, no `eval`, no other host. Pages of other origins cannot show the
 * console in a frame.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  // Names of domains are in addresses.
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-create=(self), publickey-credentials-get=(self)',
} as const;

/** Names of these files change with their content. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** Browsers ask again, so that they never combine a page from before an upgrade with files from after it. */
const ASK_AGAIN = 'no-cache';

const mediaTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The build compresses each file in these ways; the best first. */
const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** One segment: no name leads out of the folder. */
const ASSET_PATH = /^\/(assets\/[\w-][\w.-]*\.(?:js|css|svg))$/;
const FILE_PATH = /^\/(theme\.js|favicon\.svg)$/;

/**
 * Answers requests that have no route. Registers a hook instead of routes, so that a path below `/v2` is never a page. Requests that
 * have a route pay some two microseconds for it, and nothing if the console is off.
 *
 * @param folder where the built files are
 */
export function registerConsole(app: FastifyInstance, log: Log, folder: URL = builtConsole): void {
  // A build without the console, as in the tests of the sources.
  if (!existsSync(new URL('index.html', folder))) return;
  const loadFile = createPageFileCache(folder);
  app.addHook('onRequest', async (request, reply) => {
    const file = request.is404 ? findConsoleFile(request) : undefined;
    if (file === undefined) return;
    await sendFile(request, reply, file, loadFile).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      sendAnswer(request, reply, answerUnknownRoute(request.method, request.url), log);
    });
    return reply;
  });
}

/** Returns the name of the file that answers a request; undefined: it is not for the console. */
function findConsoleFile({ method, url, headers }: FastifyRequest): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || isForPrograms(url)) return undefined;
  const path = pathOf(url);
  const name = ASSET_PATH.exec(path)?.[1] ?? FILE_PATH.exec(path)?.[1];
  if (name !== undefined) return name;
  // A program that has mistaken the address gets an error that it understands, as without the console.
  return path === '/' || headers.accept?.includes('text/html') === true ? 'index.html' : undefined;
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  loadFile: ReturnType<typeof createPageFileCache>,
): Promise<void> {
  const accepted = request.headers['accept-encoding'] ?? '';
  const [coding, suffix] = codings.find(([token]) => accepts(accepted, token)) ?? [undefined, ''];
  const { content, etag } = await loadFile(`${name}${suffix}`);
  reply.headers({
    ...pageHeaders,
    'X-Request-Id': request.id,
    'Cache-Control': name.startsWith('assets/') ? FOR_EVER : ASK_AGAIN,
    Vary: 'Accept, Accept-Encoding',
    ETag: etag,
    ...(coding && { 'Content-Encoding': coding }),
  });
  if (isKnownTag(request.headers['if-none-match'], etag)) {
    await reply.code(304).send();
    return;
  }
  await reply.type(mediaTypes[name.slice(name.lastIndexOf('.') + 1)]).send(content);
}

/** Whether a coding is named without a weight of 0 (RFC 9110 section 12.5.3). */
function accepts(header: string, coding: string): boolean {
  return header
    .toLowerCase()
    .split(',')
    .some((part) => {
      const [name, weight = ''] = part.trim().split(/\s*;\s*/);
      return name === coding && !/^q=0(?:\.0*)?$/.test(weight);
    });
}
