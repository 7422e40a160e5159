import type { Log } from '../base/log.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { Admission } from './admission.ts';
import type { HttpLimits } from './limits.ts';

/** What the HTTP application is made of. */
export interface HttpAppOptions {
  readonly context: OperationContext;
  readonly admission: Admission;
  readonly isReady: () => boolean;
  readonly log: Log;
  readonly limits: HttpLimits;
}
