import type { ChangesJson, DryRunJson } from '../contract/response-shapes.ts';
import { ApiError } from './api-error.ts';
import { memberOf, type Answer } from './read-answer.ts';
import { sendRequest, type Endpoint, type Method, type RequestOptions } from './send-request.ts';
import {
  isDryRun,
  type Created,
  type WriteOptions,
  type WriteResult,
  type Written,
} from './write-options.ts';

/** A write, or its dry run: `read` is for the answer of the write alone. */
export async function sendWrite<T, O extends WriteOptions, Plan = DryRunJson>(
  endpoint: Endpoint,
  method: Method,
  path: string,
  request: Omit<RequestOptions, keyof WriteOptions>,
  options: O | undefined,
  read: (answer: Answer) => T,
): Promise<WriteResult<T, O, Plan>> {
  const answer = await sendRequest(endpoint, method, path, { ...request, ...options });
  // An answer that does not say so is of a service that knows no dry runs, and has written.
  if (options?.dryRun === true && !isDryRun(answer.body)) throw new ApiError(answer.status, NOT_A_DRY_RUN);
  return (options?.dryRun === true ? answer.body : read(answer)) as WriteResult<T, O, Plan>;
}

const NOT_A_DRY_RUN = 'the service knows no dry runs and may have carried the request out';

export function readWritten({ zoneSerial, etag }: Answer): Written {
  return { serial: zoneSerial, etag };
}

export type RecordsChanged = Written & { readonly changes: ChangesJson };

export function readChanged(answer: Answer): RecordsChanged {
  return { ...readWritten(answer), changes: memberOf(answer, 'changes') as ChangesJson };
}

/** @param member of the answer that holds the value */
export function readCreated<T>(member: string): (answer: Answer) => Created<T> {
  return (answer) => ({
    value: memberOf(answer, member) as T,
    created: answer.status === 201,
    ...readWritten(answer),
  });
}
