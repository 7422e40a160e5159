import { memberOf } from './read-answer.ts';
import { sendRequest, type Endpoint, type RequestOptions } from './send-request.ts';

/** Returns one member of the answer to a GET. */
export async function getOne<T>(
  endpoint: Endpoint,
  path: string,
  member: string,
  options?: RequestOptions,
): Promise<T> {
  return memberOf(await sendRequest(endpoint, 'GET', path, options), member) as T;
}
