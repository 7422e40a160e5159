import type { Schema } from './schema.ts';
import type { Permission } from '../model/permission.ts';
import type { BodyShape } from './body-shape.ts';

export type Needs = Permission | readonly Permission[] | 'user' | 'operator' | 'anyone';

/** A route of the interface, as the server, the OpenAPI document and clients need it. */
export interface Endpoint {
  /** Stable name of the operation. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With the parameters `{domain}` and `{id}`. */
  readonly path: string;
  readonly group:
    | 'Domains'
    | 'Records'
    | 'Whole domains'
    | 'History'
    | 'Account'
    | 'Accounts and keys'
    | 'Users and sessions';
  /**
   * The permission that a caller needs to use the route; of several, one is enough. `user`: somebody who has signed in, for
   * what is about that user alone. `operator`: one who manages all accounts. `anyone`: no key and no session. See `authorise`.
   */
  readonly needs: Needs;
  /** A user must have proved lately who it is; keys need nothing more. */
  readonly fresh?: true;
  /** Users may do it to themselves without the permission; `{id}` is then their own. */
  readonly orSelf?: true;
  /**
   * Shows or changes only the domains that the caller's rights cover, so that rights in some domains are enough. Without it,
   * a route that names no domain needs its permission in the whole account.
   */
  readonly narrows?: true;
  readonly summary: string;
  readonly body?: Pick<BodyShape<unknown>, 'schema'>;
  /** An empty body is read as `{}`. */
  readonly bodyMayBeEmpty?: true;
  /** The body of each successful status; null if it has none. */
  readonly answers: Readonly<Partial<Record<200 | 201 | 204, Schema | null>>>;
  /** The answer to a dry run, if it is not a list of changes to a domain. */
  readonly plan?: Schema;
  /** Statuses of refusals that are specific to this route. */
  readonly refusals: readonly (404 | 409)[];
  /** Takes `cursor` and `per_page`. */
  readonly paged?: true;
  /** Takes `search`; for `records` also `type`, `name` and `data`; for `trail` and `changes` what `trail-query.ts` and `change-query.ts` have. */
  readonly filtered?: 'search' | 'records' | 'trail' | 'changes';
  /** Takes `at`, an earlier moment. */
  readonly atMoment?: true;
  /** Takes `dnssec`, which adds what signing adds. */
  readonly showsSigning?: true;
  /** Takes `presigned`: the zone is served as another signer has signed it. */
  readonly takesPresigned?: true;
  /** Takes `account`, the id of another account. */
  readonly namesAccount?: true;
  /** Takes this parameter, which repeats a property of what is removed: a person has to type it. */
  readonly confirms?: 'name';
  /** Takes `name`, `type` and `resolver`: a question in DNS. */
  readonly asksQuestion?: true;
  /** Takes `refresh`, which makes a look again that is kept for a while. */
  readonly refreshes?: true;
  /** Takes `serial` and `wait`. */
  readonly waits?: true;
  /** The content of a body with a higher size limit. A `zone` body may also be a zone file. */
  readonly carries?: 'batch' | 'zone';
  /** The media type of a successful answer that is not JSON. */
  readonly contentType?: string;
  /** Writes to many domains, so that it takes no preconditions; its answer is a page of them. */
  readonly writesMany?: true;
  /** Takes `force`, which switches signing off although resolvers may still expect signatures. */
  readonly forces?: true;
  /** A successful answer has an entity tag, and the route supports If-None-Match. */
  readonly tagged?: true;
  /** A successful answer has the domain's serial in the header `ZONE_SERIAL_HEADER`. */
  readonly tellsSerial?: true;
  /** Takes `warnings`; a successful answer then has them in the header `ZONE_WARNINGS_HEADER`. */
  readonly warns?: true;
  /** A successful answer says in the header `HISTORY_START_HEADER` how far the history reaches back. */
  readonly tellsHistoryStart?: true;
}

/** Returns true if the route takes preconditions and change notes. */
export function writesDomain({ method, group }: Pick<Endpoint, 'method' | 'group'>): boolean {
  return method !== 'GET' && !withoutDomains.has(group);
}

const withoutDomains: ReadonlySet<Endpoint['group']> = new Set([
  'Account',
  'Accounts and keys',
  'Users and sessions',
]);

/** Returns true if the route is about signing in or a user itself. It has neither dry runs nor kept outcomes. */
export function isPersonal({ needs }: Pick<Endpoint, 'needs'>): boolean {
  return needs === 'user' || needs === 'operator' || needs === 'anyone';
}
