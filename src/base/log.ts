/** Structured log lines: fields first, then one short sentence. pino satisfies this interface. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const ignore = (): void => undefined;

/** A log that drops everything. */
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
