/** Exit codes by kind of failure, for scripts. */
export const exitCodes = {
  done: 0,
  /** The server could not start or was interrupted, or zonewright has a bug. */
  failed: 1,
  /** The command line or a setting is wrong; nothing was sent. */
  usage: 2,
  /** The service refused the request (400, 409, 412, 413). */
  refused: 3,
  /** No such domain, record, account or key (404). */
  notFound: 4,
  /** No key, an unknown key, or a key without the needed scope (403; other providers also use 401). */
  authentication: 5,
  /** The address did not answer. */
  unreachable: 6,
  /** The service is overloaded or broken; the same command may work later (429, 5xx). */
  unavailable: 7,
  /** The wait timed out. */
  timedOut: 8,
  /** A comparison found differences. */
  different: 9,
  /** A check found errors. */
  problems: 10,
  /** A copy did all it could, but something at the source needs a person: see the lines that it prints. */
  incomplete: 11,
  /** Ctrl-C or SIGTERM, with the number that shells use; completed work is not undone. */
  interrupted: 130,
} as const;

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  failed: 'failed',
  usage: 'invalid command line or setting',
  refused: 'refused by the server',
  notFound: 'no such domain, record, account or key',
  authentication: 'no key, or a key that does not allow this',
  unreachable: 'the server cannot be reached',
  unavailable: 'the server is busy or broken',
  timedOut: 'timed out',
  different: 'a comparison found differences',
  problems: 'a check found errors',
  incomplete: 'copied, but something at the source needs a person',
  interrupted: 'interrupted (Ctrl-C)',
};

/** The list of exit codes for `--help`. */
export const exitCodesHelp = `Exit codes:\n${Object.entries(meanings)
  .map(([name, meaning]) => `  ${String(exitCodes[name as keyof typeof exitCodes]).padStart(3)} ${meaning}`)
  .join('\n')}`;

/** The exit code for the HTTP status of an answer. */
export function exitCodeOf(status: number): number {
  if (status === 401 || status === 403) return exitCodes.authentication;
  if (status === 404) return exitCodes.notFound;
  if (status === 429 || status >= 500) return exitCodes.unavailable;
  return exitCodes.refused;
}
