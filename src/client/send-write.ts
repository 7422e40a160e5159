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

/** Sends a write or its dry run. @param read reads the answer to a write that is not a dry run */
export async function sendWrite<T, O extends WriteOptions, Plan = DryRunJson>(
  endpoint: Endpoint,
  method: Method,
  path: string,
  request: Omit<RequestOptions, keyof WriteOptions>,
  options: O | undefined,
  read: (answer: Answer) => T,
): Promise<WriteResult<T, O, Plan>> {
  const answer = await sendRequest(endpoint, method, path, { ...request, ...options });
  // Another answer comes from a service that ignored `dry_run` and carried the write out.
  if (options?.dryRun === true && !isDryRun(answer.body)) throw new ApiError(answer.status, NOT_A_DRY_RUN);
  return (options?.dryRun === true ? answer.body : read(answer)) as WriteResult<T, O, Plan>;
}

export const NOT_A_DRY_RUN = 'the service does not support dry runs and may have carried the request out';

export function readWritten({ zoneSerial, etag, warnings, moreWarnings }: Answer): Written {
  return {
    serial: zoneSerial,
    etag,
    ...(warnings && { warnings }),
    ...(moreWarnings !== undefined && { moreWarnings }),
  };
}

export type RecordsChanged = Written & { readonly changes: ChangesJson };

export function readChanged(answer: Answer): RecordsChanged {
  return { ...readWritten(answer), changes: memberOf(answer, 'changes') as ChangesJson };
}

/** @param member the member of the answer that contains the value */
export function readCreated<T>(member: string): (answer: Answer) => Created<T> {
  return (answer) => ({
    value: memberOf(answer, member) as T,
    created: answer.status === 201,
    ...readWritten(answer),
  });
}
