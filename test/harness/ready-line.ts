/** What the service's log tells of its addresses, each as `address:port`. */
export interface ReadyLine {
  readonly http: string;
  /** Empty with role api. */
  readonly dns: readonly string[];
}

/**
 * Undefined: not said yet.
 *
 * @param output what the service wrote so far; its last line may be incomplete
 * @param message `serving`: DNS answers and HTTP listens, the database may be away
 */
export function findReadyLine(output: string, message: 'ready' | 'serving' = 'ready'): ReadyLine | undefined {
  const lines = output.split('\n').slice(0, -1);
  const line = lines.find((text) => text.includes(`"msg":"${message}"`));
  return line === undefined ? undefined : (JSON.parse(line) as ReadyLine);
}
