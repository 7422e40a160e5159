import { ApiError } from '../../client/api-error.ts';
import { askProvider, checkPage } from './ask-provider.ts';
import { isObject, objectsOf, type JsonObject } from './json-values.ts';

/** Where a provider's interface is and who asks. */
export interface ProviderAccess {
  /** Without trailing slash: `https://api.cloudflare.com/client/v4`. */
  readonly url: string;
  readonly key: string;
}

/** One page of a list, and the answer that it stands in. */
export interface JsonPage {
  readonly items: readonly JsonObject[];
  readonly answer: JsonObject;
}

/**
 * The objects of a list that comes in numbered pages.
 *
 * @param isLast by what the provider says beside the list
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

/** @throws ApiError when the answer has no such list: what is missing must not pass for an empty zone */
async function fetchPage(access: ProviderAccess, path: string, member: string): Promise<JsonPage> {
  const answer = await fetchJson(access, path);
  const list = isObject(answer) ? answer[member] : undefined;
  if (isObject(answer) && Array.isArray(list)) return { items: objectsOf(list), answer };
  throw new ApiError(200, `${access.url}${path} answered without ${member}`);
}

/**
 * GET with a bearer key; asks again while the provider is busy.
 *
 * @throws ApiError for every other answer than 200 with JSON, UnreachableError when none came
 */
async function fetchJson({ url, key }: ProviderAccess, path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json' };
  const { status, text } = await askProvider({ url, path, headers: () => headers });
  if (status !== 200) throw new ApiError(status, `${url}${path} answered ${status}: ${reasonIn(text)}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(status, `${url} answered ${status} with something that is no JSON`);
  }
}

/** Providers put sentences somewhere into their JSON, the general one first; else the first 200 characters tell most. */
function reasonIn(text: string): string {
  const sentences = [...text.matchAll(/"(?:message|error)"\s*:\s*"([^"]{1,200})"/g)].map(
    ([, words]) => words,
  );
  return sentences.length > 0 ? sentences.slice(0, 2).join(': ') : text.slice(0, 200);
}
