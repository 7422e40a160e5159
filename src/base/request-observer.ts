/** Who is told by the HTTP server of each request: metrics. */
export interface RequestObserver {
  requestBegan(): void;
  requestEnded(request: EndedRequest): void;
}

export interface EndedRequest {
  /** Name of the operation, or of what else there is a route for; never a path. */
  readonly route: string;
  readonly method: string;
  /** Null: the connection was closed without an answer. */
  readonly status: number | null;
  readonly durationMs: number;
}
