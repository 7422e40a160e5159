// Requests to a provider. Its answers are not trusted: they are short, they lead nowhere else, and they arrive in time.
import { isProviderUrl } from './provider-url.ts';

/** Descriptions and lists of keys have some kilobytes. */
export const MAX_ANSWER_BYTES = 262_144;

/** For a whole answer. A person waits for it. */
export const ANSWER_SECONDS = 10;

type Fetch = (url: string, options: RequestInit) => Promise<Response>;

/** @param allowsLoopback as for `isProviderUrl` */
export function createProviderFetch(allowsLoopback: boolean): Fetch {
  return async (url, options) => {
    if (!isProviderUrl(new URL(url), allowsLoopback))
      throw new TypeError(`The provider names ${new URL(url).origin}, which is not an https address`);
    const { signal } = options;
    const deadline = AbortSignal.timeout(ANSWER_SECONDS * 1000);
    const answer = await fetch(url, {
      ...options,
      // An answer that leads elsewhere is one that makes no sense.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const { status, headers } = answer;
    const body = await readBody(answer);
    return new Response(body.length === 0 ? null : body, { status, headers });
  };
}

async function readBody({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
  for (;;) {
    const piece = await reader?.read();
    if (piece?.value === undefined) return new Uint8Array(Buffer.concat(pieces));
    size += piece.value.length;
    if (size > MAX_ANSWER_BYTES) {
      await reader?.cancel();
      throw new TypeError(`The provider's answer has more than ${MAX_ANSWER_BYTES} bytes`);
    }
    pieces.push(piece.value);
  }
}
