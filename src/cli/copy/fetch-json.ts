import { ApiError } from '../../client/api-error.ts';
import { askProvider, checkPage } from './ask-provider.ts';
import { isObject, objectsOf, type JsonObject } from './json-values.ts';

/** Address and key of a provider's API. */
export interface ProviderAccess {
  /** Without trailing slash: `https://api.cloudflare.com/client/v4`. */
  readonly url: string;
  readonly key: string;
}

/** One page of a list, and the answer that contains it. */
export interface JsonPage {
  readonly items: readonly JsonObject[];
  readonly answer: JsonObject;
}

/**
 * Yields the objects of a list that comes in numbered pages.
 *
 * @param isLast decides from the rest of the answer
 */
export async function* fetchPages(
  access: ProviderAccess,
  path: string,
  member: string,
  pageSize: number,
  isLast: (page: JsonPage, number: number) => boolean,
): AsyncGenerator<JsonObject> {
  for (let number = 1; ; number++) {
    checkPage(number, path);
    const page = await fetchPage(access, `${path}?page=${number}&per_page=${pageSize}`, member);
    yield* page.items;
    if (isLast(page, number)) return;
  }
}

/** @throws ApiError if the answer has no such list, so that a broken answer does not look like an empty zone */
async function fetchPage(access: ProviderAccess, path: string, member: string): Promise<JsonPage> {
  const answer = await fetchJson(access, path);
  const list = isObject(answer) ? answer[member] : undefined;
  if (isObject(answer) && Array.isArray(list)) return { items: objectsOf(list), answer };
  throw new ApiError(200, `${access.url}${path} answered without ${member}`);
}

/**
 * Sends GET with a bearer key and repeats it while the provider is busy.
 *
 * @throws ApiError unless the answer is 200 with JSON; UnreachableError if there is no answer
 */
async function fetchJson({ url, key }: ProviderAccess, path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json' };
  const { status, text } = await askProvider({ url, path, headers: () => headers });
  if (status !== 200) throw new ApiError(status, `${url}${path} answered ${status}: ${reasonIn(text)}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(status, `${url} answered ${status} with a body that is not valid JSON`);
  }
}

/**
 * Finds the error messages anywhere in a provider's JSON, the most general one first. Otherwise returns the first 200
 * characters.
 */
function reasonIn(text: string): string {
  const sentences = [...text.matchAll(/"(?:message|error)"\s*:\s*"([^"]{1,200})"/g)].map(
    ([, words]) => words,
  );
  return sentences.length > 0 ? sentences.slice(0, 2).join(': ') : text.slice(0, 200);
}
