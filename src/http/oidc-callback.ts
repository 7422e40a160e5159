/**
 * The page to which an OpenID Connect provider leads browsers back. It is outside `/v2` because it answers with a redirect, and
 * with a page for people if something is wrong. Requests come from another site by nature; what protects them is the sealed
 * cookie of the browser that began, and the state that has to match it.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OIDC_CALLBACK_PATH } from '../contract/oidc-endpoints.ts';
import type { Refusal } from '../model/refusal.ts';
import { finishOpenId } from '../operations/finish-open-id.ts';
import type { FinishedOpenId } from '../operations/finish-open-id.ts';
import { answerError, answerMalformed, type Answer } from './answer.ts';
import { findRateRefusal } from './admission.ts';
import { findInsecureAnswer } from './browser-origin.ts';
import type { HttpAppOptions } from './http-app-options.ts';
import { endedLoginCookie, findLoginCookie } from './oidc-cookie.ts';
import { senderOf } from './open-sender.ts';
import { sendAnswer } from './send-answer.ts';
import { sessionCookie } from './session-cookie.ts';

type Options = Pick<HttpAppOptions, 'context' | 'admission' | 'log'>;

/** A service without a provider has no such page. */
export function registerOidcCallback(app: FastifyInstance, options: Options): void {
  if (options.context.openId === undefined) return;
  app.get(OIDC_CALLBACK_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    sendAnswer(request, reply, await answerCallback(options, request), options.log);
  });
}

async function answerCallback({ context, admission }: Options, request: FastifyRequest): Promise<Answer> {
  const found = admission.findAddress(request.raw);
  request.clientAddress = found.ok ? found.value : undefined;
  request.quota = admission.countAnonymous(request.clientAddress);
  const refusal = findRateRefusal(request.quota);
  if (refusal !== undefined) return refusal;
  if (!found.ok) return answerMalformed(found.problem);
  const scheme = admission.findScheme(request.raw);
  const insecure = findInsecureAnswer(request.raw, scheme);
  if (insecure !== undefined) return insecure;
  const sender = senderOf(request, scheme);
  const sealed = findLoginCookie(request.raw, sender.isSecure);
  const query = /\?(.*)$/s.exec(request.url)?.[1] ?? '';
  const finished = await finishOpenId(context, { sealed, query }, sender);
  const answer = finished.ok ? answerFinished(finished.value, sender.isSecure) : answerPage(finished.refusal);
  // The cookie goes with its first use, whatever came of it.
  return {
    ...answer,
    headers: [...(answer.headers ?? []), ...endedLoginCookie(sender.isSecure), ...pageHeaders],
  };
}

/** The address of this page has a code in it, and must not be kept or passed on. */
const pageHeaders = [
  'Cache-Control',
  'no-store',
  'Referrer-Policy',
  'no-referrer',
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
];

function answerFinished({ next, opened }: FinishedOpenId, isSecure: boolean): Answer {
  const cookie = opened === undefined ? [] : sessionCookie(opened.token, isSecure);
  return { status: 303, body: '', contentType: PAGE_TYPE, headers: ['Location', next, ...cookie] };
}

const PAGE_TYPE = 'text/html; charset=utf-8';

/** For people: a browser shows it. */
function answerPage(refusal: Refusal): Answer {
  const answer = answerError(refusal);
  const body = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Zonewright</title></head>
<body>
<h1>You are not signed in</h1>
<p>${escapeHtml(refusal.message)}.</p>
<p><a href="/">Back</a></p>
</body>
</html>
`;
  return { ...answer, body, contentType: PAGE_TYPE };
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
