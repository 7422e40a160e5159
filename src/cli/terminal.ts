import { createInterface } from 'node:readline/promises';

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
  /** A line from the person; absent where nobody can answer. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** All of stdin. */
  readonly readInput?: () => Promise<string>;
}

async function askPerson(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

async function readStdin(): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of process.stdin.setEncoding('utf8')) pieces.push(String(piece));
  return pieces.join('');
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
    ask: process.stdin.isTTY && process.stderr.isTTY ? askPerson : undefined,
    readInput: readStdin,
  };
}
