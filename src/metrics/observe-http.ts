import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ConnectionObserver } from '../base/connection-observer.ts';
import type { RequestObserver } from '../base/request-observer.ts';

/** From an answer from memory to a write in a long queue. */
const durationBucketsSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const TOO_MANY_REQUESTS = 429;

export function observeHttp(registry: Registry): RequestObserver {
  const requests = new Counter({
    name: 'zonewright_http_requests_total',
    help: 'Requests by status class; none: the connection was closed without an answer.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'zonewright_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer.',
    labelNames: ['route'],
    buckets: durationBucketsSeconds,
    registers: [registry],
  });
  const limited = new Counter({
    name: 'zonewright_http_rate_limited_total',
    help: 'Requests refused by the rate limit of their key or address.',
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'zonewright_http_refusals_total',
    help: 'Requests answered with an error, by its code.',
    labelNames: ['code'],
    registers: [registry],
  });
  const inFlight = new Gauge({
    name: 'zonewright_http_requests_in_flight',
    help: 'Requests in progress.',
    registers: [registry],
  });
  return {
    requestBegan: () => inFlight.inc(),
    requestEnded: ({ route, method, status, errorCode, durationMs }) => {
      inFlight.dec();
      requests.inc({ route, method: methodLabel(method), status: statusClass(status) });
      durations.observe({ route }, durationMs / 1000);
      if (status === TOO_MANY_REQUESTS) limited.inc();
      if (errorCode !== null) refusals.inc({ code: errorCode });
    },
  };
}

export function observeConnections(registry: Registry): ConnectionObserver {
  const refused = new Counter({
    name: 'zonewright_http_connections_refused_total',
    help: 'Connections closed before a request was read, or because of abuse, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  });
  return { connectionRefused: (reason) => refused.inc({ reason }) };
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Keeps clients from inventing labels. */
function methodLabel(method: string): string {
  return methods.has(method) ? method : 'other';
}

function statusClass(status: number | null): string {
  return status === null ? 'none' : `${Math.floor(status / 100)}xx`;
}
