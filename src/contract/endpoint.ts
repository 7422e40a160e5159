import type { TSchema } from 'typebox';
import type { KeyScope } from '../model/account.ts';
import type { BodyShape } from './body-shape.ts';

/** A route of the interface, and what of it a server, a description and a client have to know. */
export interface Endpoint {
  /** Stable name of the operation. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{domain}` and `{id}` as parameters. */
  readonly path: string;
  readonly group: 'Domains' | 'Records' | 'Whole domains' | 'History' | 'Account' | 'Accounts and keys';
  /** The least scope that an API key needs to use the route. */
  readonly scope: KeyScope;
  readonly summary: string;
  readonly body?: Pick<BodyShape<unknown>, 'schema'>;
  /** An empty body is the same as `{}`. */
  readonly bodyMayBeEmpty?: true;
  /** Statuses of success with what they answer; null: no body. */
  readonly answers: Readonly<Partial<Record<200 | 201 | 204, TSchema | null>>>;
  /** What a dry run answers, where it is not a difference in a domain. */
  readonly plan?: TSchema;
  /** Statuses of refusal that are this route's own, besides those that any route may give. */
  readonly refusals: readonly (404 | 409)[];
  /** `cursor` and `per_page` are understood. */
  readonly paged?: true;
  /** `search` narrows the list; for `records` also type, name and data. */
  readonly filtered?: 'search' | 'records';
  /** `at` asks for an earlier moment. */
  readonly atMoment?: true;
  /** `account` in the query names another account. */
  readonly namesAccount?: true;
  /** `serial` and `wait` are understood. */
  readonly waits?: true;
  /** What a body that may be larger than others holds. `zone`: a master file, too. */
  readonly carries?: 'batch' | 'zone';
  /** Of a success that is not JSON. */
  readonly contentType?: string;
  /** Success carries an entity tag, and If-None-Match is understood. */
  readonly tagged?: true;
  /** Success carries the domain's serial, in `zoneSerialHeader`. */
  readonly tellsSerial?: true;
}

/** Preconditions and notes are for these. */
export function writesDomain({ method, group }: Pick<Endpoint, 'method' | 'group'>): boolean {
  return method !== 'GET' && group !== 'Account' && group !== 'Accounts and keys';
}
