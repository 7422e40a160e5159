import type { Log } from '../base/log.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { Admission } from './admission.ts';
import type { HttpLimits } from './limits.ts';
import type { MetricsText } from './metrics-route.ts';
import type { RequestObserver } from '../base/request-observer.ts';

/** What the application of every process is made of: health, readiness, metrics. */
export interface ServiceAppOptions {
  readonly readiness: () => Readiness;
  readonly log: Log;
  readonly limits: HttpLimits;
  /** Left out: nothing is counted, and there is no `/metrics`. */
  readonly metrics?: HttpMetrics;
  readonly countAnonymous: Admission['countAnonymous'];
}

/** What the application with the interface for customers is made of besides. */
export interface HttpAppOptions extends Omit<ServiceAppOptions, 'countAnonymous'> {
  readonly context: OperationContext;
  readonly admission: Admission;
  /** Whose pages may use the interface from a browser; left out: nobody's. */
  readonly corsOrigins?: readonly string[];
}

/** What is told of requests, and all that the process shows of itself. */
export interface HttpMetrics extends MetricsText {
  readonly requests: RequestObserver;
}

/** Whether the process can do its work. */
export interface Readiness {
  readonly ready: boolean;
  /** Why it cannot, as a sentence; left out: it is starting or stopping. */
  readonly reason?: string;
  /** Further members of the answer of `/readyz`, as they are shown. */
  readonly detail: object;
}
