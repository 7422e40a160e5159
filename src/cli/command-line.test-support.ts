import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach } from 'vitest';
import { addCommands } from './add-commands.ts';
import { clientCommands } from './client-commands.ts';
import { createProgram, runCommandLine } from './run-command-line.ts';
import { textTerminal, type TextTerminalOptions } from './terminal/text-terminal.test-support.ts';

/** A server that sends prepared answers in order and records the requests. */
export interface PreparedServer {
  readonly url: string;
  answers: { status: number; body?: unknown; headers?: Record<string, string> }[];
  asked: { request: string; headers: Record<string, unknown>; body: string }[];
  /** Runs a command line, or its words, with this server and a key in the environment. */
  readonly run: (line: string | readonly string[], options?: TextTerminalOptions) => CommandRun;
}

/** For one test file: each test starts without answers, and the server closes after the last one. */
export async function prepareServer(): Promise<PreparedServer> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const path = `${request.method ?? ''} ${(request.url ?? '').replace('/v2/domains/example.com', '')}`;
      prepared.asked.push({ request: path, headers: request.headers, body });
      const answer = prepared.answers.shift() ?? { status: 500, body: { error: 'no answer was prepared' } };
      response.writeHead(answer.status, answer.headers);
      response.end(typeof answer.body === 'object' ? JSON.stringify(answer.body) : answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const prepared: PreparedServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers: [],
    asked: [],
    run: (line, options) =>
      runCommand(typeof line === 'string' ? line.split(' ') : line, {
        ...options,
        environment: {
          ZONEWRIGHT_URL: prepared.url,
          ZONEWRIGHT_KEY: 'zw_k',
          ZONEWRIGHT_RESOLVERS: 'none',
          ...options?.environment,
        },
      }),
  };
  beforeEach(() => {
    prepared.answers = [];
    prepared.asked = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return prepared;
}

type CommandRun = ReturnType<typeof runCommand>;

/** Runs one command line as a process would. */
export async function runCommand(words: readonly string[], options: TextTerminalOptions = {}) {
  const terminal = textTerminal(options);
  const program = createProgram(terminal, 'for this test');
  addCommands(program, terminal, clientCommands);
  const exitCode = await runCommandLine(program, words, terminal);
  const { stdout, stderr } = terminal;
  return { exitCode, stdout, stderr };
}
