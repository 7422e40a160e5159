import { Readable } from 'node:stream';
import type { Terminal } from './terminal.ts';

export interface TextTerminalOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Stdout and stderr are terminals. */
  readonly isInteractive?: boolean;
  /** The user's answer to every question; if undefined, there is no user. */
  readonly answer?: string;
  readonly stdin?: string;
  /** Receives the function that Ctrl-C would call. */
  readonly onInterrupt?: (interrupt: () => void) => void;
}

/** A terminal in memory that keeps its output. */
export interface TextTerminal extends Terminal {
  readonly stdout: string;
  readonly stderr: string;
}

const COLUMNS = 100;

export function textTerminal(options: TextTerminalOptions = {}): TextTerminal {
  const { environment = {}, isInteractive = false, answer, stdin = '', onInterrupt } = options;
  let stdout = '';
  let stderr = '';
  return {
    environment,
    isInteractive,
    hasColor: false,
    columns: isInteractive ? () => COLUMNS : undefined,
    stderrColumns: isInteractive ? () => COLUMNS : undefined,
    print: (text) => void (stdout += text),
    complain: (text) => void (stderr += text),
    ask:
      answer === undefined
        ? undefined
        : (question) => {
            stderr += `${question}${answer}\n`;
            return Promise.resolve(answer);
          },
    askSecret:
      answer === undefined
        ? undefined
        : (question) => {
            stderr += `${question}\n`;
            return Promise.resolve(answer);
          },
    input: Readable.from([Buffer.from(stdin)]),
    onInterrupt(interrupt) {
      onInterrupt?.(interrupt);
      return () => undefined;
    },
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
  };
}
