/** A request under `/v2`, as it is shown to people. */
export interface ShownRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Behind `/v2`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  /** The name of a file that is sent as it is. */
  readonly file?: string;
  /** `user`: the request is about the user who has signed in. It needs the cookie of a session, and no key can send it. */
  readonly by?: 'key' | 'user';
}

/** Where `curl` keeps the cookie. */
const COOKIES = 'zonewright-cookies';

/** Returns the command for a shell; the key is in a variable, which is in no history of commands. */
export function formatCurl(
  { method, path, headers = {}, body, file, by }: ShownRequest,
  origin: string,
): string {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`-H ${quote(`${name}: ${value}`)}`],
  );
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(`${origin}/v2${path}`)}`,
    ...(by === 'user'
      ? [`-b ${COOKIES}`, ...(method === 'GET' ? [] : [originHeader(origin)])]
      : ['-H "Authorization: Bearer $ZONEWRIGHT_KEY"']),
    ...given,
    ...(file === undefined ? [] : [`--data-binary ${quote(`@${file}`)}`]),
    ...(body === undefined ? [] : [`-d ${quote(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}

/** Returns the command that signs in: the requests of a user follow it. */
export function formatSignIn(email: string, origin: string): string {
  return [
    `curl -c ${COOKIES} ${quote(`${origin}/v2/session`)}`,
    originHeader(origin),
    `-d ${quote(JSON.stringify({ email, password: '…' }))}`,
  ].join(' \\\n  ');
}

/** The service takes what a cookie permits only from its own pages. */
function originHeader(origin: string): string {
  return `-H ${quote(`Origin: ${origin}`)}`;
}

/** A word for a POSIX shell. */
export function quote(word: string): string {
  return /^[\w.,:/@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
