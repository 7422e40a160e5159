import { ApiError } from '../../client/api-error.ts';
import { askProvider } from './ask-provider.ts';

/** Where a provider's interface is and who asks. */
export interface ProviderAccess {
  /** Without trailing slash: `https://api.cloudflare.com/client/v4`. */
  readonly url: string;
  readonly key: string;
}

/**
 * GET with a bearer key; asks again while the provider is busy.
 *
 * @throws ApiError for every other answer than 200 with JSON, UnreachableError when none came
 */
export async function fetchJson({ url, key }: ProviderAccess, path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json' };
  const { status, text } = await askProvider({ url, path, headers: () => headers });
  if (status !== 200) throw new ApiError(status, `${url}${path} answered ${status}: ${reasonIn(text)}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(status, `${url} answered ${status} with something that is no JSON`);
  }
}

/** Providers put a sentence somewhere into their JSON; the first 200 characters tell most. */
function reasonIn(text: string): string {
  return /"(?:message|error)"\s*:\s*"([^"]{1,200})"/.exec(text)?.[1] ?? text.slice(0, 200);
}
