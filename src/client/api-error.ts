/** The service answered with an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** The error code (`domain_taken`), if the service sent one. */
  readonly code: string | undefined;
  /** The invalid member of the request, if the service named one. */
  readonly field: string | undefined;
  /** All problems of a batch or import; empty for other requests. */
  readonly problems: readonly unknown[];
  /** The number of further problems. */
  readonly more: number;
  /** By which the operator finds the request in the log, if the service sent one. */
  readonly requestId: string | undefined;

  constructor(status: number, message: string, details: ApiErrorDetails = {}) {
    super(message);
    this.status = status;
    this.code = details.code;
    this.field = details.field;
    this.problems = details.problems ?? [];
    this.more = details.more ?? 0;
    this.requestId = details.requestId;
  }

  /** The same error with other problems. */
  withProblems(problems: readonly unknown[]): ApiError {
    const { code, field, more, requestId } = this;
    return new ApiError(this.status, this.message, { code, field, problems, more, requestId });
  }
}

export type ApiErrorDetails = Partial<Pick<ApiError, 'code' | 'field' | 'problems' | 'more' | 'requestId'>>;

/** There was no answer: nothing listens at the address, the connection broke, or the request timed out. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  /** The address of the service. */
  readonly url: string;
  /** True if the connection broke, so that the request may have been carried out. */
  readonly isLost: boolean;

  constructor(url: string, reason: string, options?: ErrorOptions & { readonly isLost?: boolean }) {
    super(`${url} cannot be reached: ${reason}`, options);
    this.url = url;
    this.isLost = options?.isLost === true;
  }
}
