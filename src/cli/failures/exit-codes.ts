/** How the programme ends, by kind of failure, so that scripts can tell them apart. */
export const exitCodes = {
  done: 0,
  /** The server could not start or was broken off; or a bug of ours. */
  failed: 1,
  /** The command line or a setting is wrong; nothing was sent. */
  usage: 2,
  /** The service refused the request as it is (400, 409, 412, 413). */
  refused: 3,
  /** No such domain, record, account or key (404). */
  notFound: 4,
  /** No key, an unknown key, or one whose scope does not allow it (403; of other providers also 401). */
  authentication: 5,
  /** No answer came from the address. */
  unreachable: 6,
  /** The service is overloaded or broken; the same command may work later (429, 5xx). */
  unavailable: 7,
  /** What was waited for did not happen in time. */
  timedOut: 8,
  /** Two sides that were compared are not the same. */
  different: 9,
  /** A check found errors. */
  problems: 10,
  /** Ctrl-C or SIGTERM, as shells count it; what was done stays done. */
  interrupted: 130,
} as const;

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  failed: 'failed',
  usage: 'wrong command line',
  refused: 'refused by the server',
  notFound: 'no such domain, record, account or key',
  authentication: 'no key, or one that does not allow it',
  unreachable: 'the server cannot be reached',
  unavailable: 'the server is busy or broken',
  timedOut: 'the time to wait was up',
  different: 'what was compared differs',
  problems: 'a check found errors',
  interrupted: 'broken off (Ctrl-C)',
};

/** What `--help` says about them. */
export const exitCodesHelp = `Exit codes:\n${Object.entries(meanings)
  .map(([name, meaning]) => `  ${String(exitCodes[name as keyof typeof exitCodes]).padStart(3)} ${meaning}`)
  .join('\n')}`;

/** The code for an answer's HTTP status. */
export function exitCodeOf(status: number): number {
  if (status === 401 || status === 403) return exitCodes.authentication;
  if (status === 404) return exitCodes.notFound;
  if (status === 429 || status >= 500) return exitCodes.unavailable;
  return exitCodes.refused;
}
