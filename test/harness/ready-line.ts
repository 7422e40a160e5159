/** The addresses in the service's log, each as `address:port`. */
export interface ReadyLine {
  readonly http: string;
  /** Absent without TLS. */
  readonly https?: string;
  /** Empty with role api. */
  readonly dns: readonly string[];
}

/**
 * Finds the line that reports the service ready; undefined if it has not been written yet.
 *
 * @param output the output of the service so far; its last line may be incomplete
 * @param message `serving`: DNS answers and HTTP listens, but the database may be unavailable
 */
export function findReadyLine(output: string, message: 'ready' | 'serving' = 'ready'): ReadyLine | undefined {
  const lines = output.split('\n').slice(0, -1);
  const line = lines.find((text) => text.includes(`"msg":"${message}"`));
  return line === undefined ? undefined : (JSON.parse(line) as ReadyLine);
}
