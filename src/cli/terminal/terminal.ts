import type { Interface } from 'node:readline/promises';
import { CommandFailure } from '../failures/command-failure.ts';
import type { Environment } from './environment.ts';
import { exitCodes } from '../failures/exit-codes.ts';

/** The environment, streams and signals that a command can use. Tests replace it by texts in memory. */
export interface Terminal {
  readonly environment: Environment;
  /** Stdout is a terminal. */
  readonly isInteractive: boolean;
  readonly hasColor: boolean;
  /** The current width of the terminal on stdout. Undefined if stdout is not a terminal. */
  readonly columns?: (() => number) | undefined;
  /** The current width of the terminal on stderr. Undefined if stderr is not a terminal or cannot redraw a line. */
  readonly stderrColumns?: (() => number) | undefined;
  /** Writes to stdout unchanged. */
  print(text: string): void;
  /** Writes to stderr unchanged. */
  complain(text: string): void;
  /** Reads one line from the user. Undefined if there is no terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** The same for a line that is not shown. */
  readonly askSecret?: ((question: string) => Promise<string>) | undefined;
  /** Stdin; can be read only once. */
  readonly input: AsyncIterable<Uint8Array>;
  /**
   * Calls back on Ctrl-C or SIGTERM instead of ending the process; the next signal ends it. Returns a function that
   * removes the listener.
   */
  readonly onInterrupt: (listener: () => void) => () => void;
}

async function askPerson(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  return readLine(createInterface({ input: process.stdin, output: process.stderr }), question);
}

/** Readline itself echoes what is typed on a terminal, here to nowhere. */
async function askSecretly(question: string): Promise<string> {
  const [{ createInterface }, { Writable }] = await Promise.all([
    import('node:readline/promises'),
    import('node:stream'),
  ]);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(question);
  try {
    return await readLine(createInterface({ input: process.stdin, output: nowhere, terminal: true }), '');
  } finally {
    process.stderr.write('\n');
  }
}

async function readLine(lines: Interface, question: string): Promise<string> {
  try {
    return await lines.question(question);
  } catch (error) {
    // Ctrl-C rejects the question with an AbortError.
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
    columns: isInteractive ? () => stdout.columns : undefined,
    stderrColumns: stderr.isTTY && !isDumb ? () => stderr.columns : undefined,
    print: (text) => void stdout.write(text),
    complain: (text) => void stderr.write(text),
    ask: stdin.isTTY && stderr.isTTY ? askPerson : undefined,
    askSecret: stdin.isTTY && stderr.isTTY ? askSecretly : undefined,
    input: stdin,
    onInterrupt,
  };
}
