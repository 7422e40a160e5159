import { CommandFailure } from '../failures/command-failure.ts';
import type { Environment } from './environment.ts';
import { exitCodes } from '../failures/exit-codes.ts';

/** What commands know of the world: the environment and the two streams. The process outside, texts in tests. */
export interface Terminal {
  readonly environment: Environment;
  /** A person reads stdout, not a programme. */
  readonly isInteractive: boolean;
  readonly hasColor: boolean;
  /** The present columns of the terminal that stderr is; absent where it is none, or cannot draw over a line. */
  readonly stderrColumns?: (() => number) | undefined;
  /** Text on stdout, as it is. */
  print(text: string): void;
  /** Text on stderr, as it is. */
  complain(text: string): void;
  /** A line from the person; absent where nobody can answer. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** Stdin, to be read once. */
  readonly input: AsyncIterable<Uint8Array>;
  /**
   * Calls back at Ctrl-C or SIGTERM, which then ends nothing by itself; the next one ends the process. Gives what takes
   * this back.
   */
  readonly onInterrupt: (listener: () => void) => () => void;
}

async function askPerson(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } catch (error) {
    // Ctrl-C is an answer too.
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    process.stderr.write('\n');
    throw new CommandFailure(exitCodes.interrupted, 'interrupted: nothing was changed', { cause: error });
  } finally {
    lines.close();
  }
}

function onInterrupt(listener: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const take = (): void => {
    takeBack();
    listener();
  };
  const takeBack = (): void => {
    for (const signal of signals) process.off(signal, take);
  };
  for (const signal of signals) process.on(signal, take);
  return takeBack;
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  const isInteractive = stdout.isTTY;
  const { NO_COLOR: noColor = '', TERM: terminal } = process.env;
  const isDumb = terminal === 'dumb';
  return {
    environment: process.env,
    isInteractive,
    hasColor: isInteractive && noColor === '' && !isDumb,
    stderrColumns: stderr.isTTY && !isDumb ? () => stderr.columns : undefined,
    print: (text) => void stdout.write(text),
    complain: (text) => void stderr.write(text),
    ask: stdin.isTTY && stderr.isTTY ? askPerson : undefined,
    input: stdin,
    onInterrupt,
  };
}
