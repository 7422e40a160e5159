/** Observes the HTTP server's requests, for metrics. */
export interface RequestObserver {
  requestBegan(): void;
  requestEnded(request: EndedRequest): void;
}

export interface EndedRequest {
  /** Name of the operation or of another route; never a path. */
  readonly route: string;
  readonly method: string;
  /** Null: the connection was closed without an answer. */
  readonly status: number | null;
  /** The code of the error that was answered; null: none was. */
  readonly errorCode: string | null;
  readonly durationMs: number;
}
