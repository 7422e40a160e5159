import type { ConnectionObserver } from '../base/connection-observer.ts';
import type { Log } from '../base/log.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { Admission } from './admission.ts';
import type { HttpLimits } from './limits.ts';
import type { MetricsText } from './metrics-route.ts';
import type { RequestObserver } from '../base/request-observer.ts';
import type { SecureTransport } from './secure-transport.ts';

/** Options of the application that every process has: health, readiness and metrics. */
export interface ServiceAppOptions {
  readonly readiness: () => Readiness;
  readonly log: Log;
  readonly limits: HttpLimits;
  /** If absent, nothing is counted and `/metrics` does not exist. */
  readonly metrics?: HttpMetrics;
  readonly countPeer: Admission['countPeer'];
  /** Called when a client that is no trusted proxy sends a header of the PROXY protocol; absent if that is off. */
  readonly onProxyHeader?: (() => void) | undefined;
  /** Absent without TLS. */
  readonly secureTransport?: SecureTransport | undefined;
}

/** Options of the application with the interface for customers. */
export interface HttpAppOptions extends Omit<ServiceAppOptions, 'countPeer'> {
  readonly context: OperationContext;
  readonly admission: Admission;
  /** Origins whose pages may use the interface from a browser; none if absent. */
  readonly corsOrigins?: readonly string[];
  /** The console is served to browsers, from this folder or from where the build puts it; absent: it is off. */
  readonly console?: true | URL | undefined;
}

/** Counts requests and connections, and renders all metrics of the process. */
export interface HttpMetrics extends MetricsText {
  readonly requests: RequestObserver;
  readonly connections: ConnectionObserver;
}

/** Whether the process can serve requests. */
export interface Readiness {
  readonly ready: boolean;
  /** A sentence that says why it is not ready; absent while it is starting or stopping. */
  readonly reason?: string;
  /** Further members of the answer to `/readyz`. */
  readonly detail: object;
}
