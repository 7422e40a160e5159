// The answer of `/readyz`, which supervisors read: the state of the process that has answered.

export interface KnownProblem {
  /** A name that stays the same, for our words. */
  readonly problem: string;
  /** The sentence of the service, without a full stop. */
  readonly message: string;
}

export interface Readiness {
  readonly isReady: boolean;
  /** Why it is not ready, as a sentence of the service; absent: it says nothing. */
  readonly reason: string | undefined;
  readonly problems: readonly KnownProblem[];
  /** Absent with the embedded store. */
  readonly database: string | undefined;
  /** Seconds by which the zone copy is behind; null: not known; undefined: there is no copy. */
  readonly lagSeconds: number | null | undefined;
  /** Nameserver threads that answer, of those that should; absent: none are beside this process. */
  readonly threads: { readonly answering: number; readonly wanted: number } | undefined;
}

/** @returns undefined if it is not the answer of the service, but of something before it */
export function readReadiness(status: number, body: unknown): Readiness | undefined {
  const answer = membersOf(body);
  const isReady = status === 200 && answer['status'] === 'ready';
  if (!isReady && !(status === 503 && answer['code'] === 'not_ready')) return undefined;
  const { wanted, answering } = membersOf(answer['dns_threads']);
  const { lag_seconds: lag } = membersOf(answer['zone_copy']);
  return {
    isReady,
    reason: textOf(answer['error']),
    problems: problemsOf(answer['problems']),
    database: textOf(answer['database']),
    lagSeconds: lag === null || typeof lag === 'number' ? lag : undefined,
    threads: typeof wanted === 'number' && typeof answering === 'number' ? { wanted, answering } : undefined,
  };
}

function problemsOf(list: unknown): readonly KnownProblem[] {
  if (!Array.isArray(list)) return [];
  return list.map((item) => {
    const { problem, message } = membersOf(item);
    return { problem: textOf(problem) ?? '', message: textOf(message) ?? '' };
  });
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
