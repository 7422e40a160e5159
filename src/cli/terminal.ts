/** What commands know of the world: the environment and the two streams. The process outside, texts in tests. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A person reads stdout, not a programme. */
  readonly isInteractive: boolean;
  readonly hasColor: boolean;
  /** Text on stdout, as it is. */
  print(text: string): void;
  /** Text on stderr, as it is. */
  complain(text: string): void;
}

export function processTerminal(): Terminal {
  const isInteractive = process.stdout.isTTY;
  const { NO_COLOR: noColor = '', TERM: terminal } = process.env;
  return {
    environment: process.env,
    isInteractive,
    hasColor: isInteractive && noColor === '' && terminal !== 'dumb',
    print: (text) => void process.stdout.write(text),
    complain: (text) => void process.stderr.write(text),
  };
}
