/** Structured log lines: fields first, then one short sentence. pino fits as it is. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const ignore = (): void => undefined;

/** Drops everything. */
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
