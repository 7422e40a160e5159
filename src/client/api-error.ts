/** The service answered, but not with what was asked for. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** Stable word for the reason (`domain_taken`), where the service gave one. */
  readonly code: string | undefined;
  /** The request member at fault, where the service named one. */
  readonly field: string | undefined;

  constructor(status: number, message: string, code?: string, field?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

/** No answer came: nothing listens there, the connection broke, or it took too long. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  /** The address that was tried. */
  readonly url: string;

  constructor(url: string, reason: string, options?: ErrorOptions) {
    super(`${url} cannot be reached: ${reason}`, options);
    this.url = url;
  }
}
