/** A request under `/v2`, as it is shown to people. */
export interface ShownRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Behind `/v2`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  /** The name of a file that is sent as it is. */
  readonly file?: string;
}

/** Returns the command for a shell; the key is in a variable, which is in no history of commands. */
export function formatCurl({ method, path, headers = {}, body, file }: ShownRequest, origin: string): string {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`-H ${quote(`${name}: ${value}`)}`],
  );
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(`${origin}/v2${path}`)}`,
    '-H "Authorization: Bearer $ZONEWRIGHT_KEY"',
    ...given,
    ...(file === undefined ? [] : [`--data-binary ${quote(`@${file}`)}`]),
    ...(body === undefined ? [] : [`-d ${quote(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}

/** A word for a POSIX shell. */
export function quote(word: string): string {
  return /^[\w.,:/@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
