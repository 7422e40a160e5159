/** The service answered, but not with what was asked for. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** Stable word for the reason (`domain_taken`), where the service gave one. */
  readonly code: string | undefined;
  /** The request member at fault, where the service named one. */
  readonly field: string | undefined;
  /** All that is wrong with a batch or a master file; empty for other requests. */
  readonly problems: readonly unknown[];
  /** How many problems there are beyond those. */
  readonly more: number;

  constructor(status: number, message: string, details: ApiErrorDetails = {}) {
    super(message);
    this.status = status;
    this.code = details.code;
    this.field = details.field;
    this.problems = details.problems ?? [];
    this.more = details.more ?? 0;
  }
}

export type ApiErrorDetails = Partial<Pick<ApiError, 'code' | 'field' | 'problems' | 'more'>>;

/** No answer came: nothing listens there, the connection broke, or it took too long. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  /** The address that was tried. */
  readonly url: string;
  /** The connection broke: the request may have been carried out. */
  readonly isLost: boolean;

  constructor(url: string, reason: string, options?: ErrorOptions & { readonly isLost?: boolean }) {
    super(`${url} cannot be reached: ${reason}`, options);
    this.url = url;
    this.isLost = options?.isLost === true;
  }
}
