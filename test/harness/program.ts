import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Runs the built program as a separate process. Each running process has a file in the run's folder, so that none is
 * left behind if the tests are interrupted.
 */

export const PROGRAM = fileURLToPath(new URL('../../dist/app/main.js', import.meta.url));
export const PROCESS_FILE_PREFIX = 'process-';

export interface Program {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  hasEnded(): boolean;
  /** Resolves with the exit code (null after a signal) when the process has ended and its output has been read. */
  ended(): Promise<number | null>;
  signal(name: 'SIGTERM' | 'SIGKILL' | 'SIGINT'): void;
}

/** A bound socket that the program inherits, as with systemd's socket activation. */
export interface HandedSocket {
  readonly name: string;
  readonly descriptor: number;
}

/** Starts the program without waiting. It sees only these settings, and no configuration file. */
export function spawnProgram(
  folder: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  sockets: readonly HandedSocket[] = [],
): Program {
  const { PATH, HOME } = process.env;
  const command = [process.execPath, PROGRAM, ...args];
  // The shell becomes the program, so that its process id is the program's.
  const [file = '', ...words] =
    sockets.length === 0 ? command : ['sh', '-c', 'LISTEN_PID=$$ exec "$@"', 'sh', ...command];
  const child = spawn(file, words, {
    cwd: mkdtempSync(join(folder, 'cwd-')),
    env: { PATH, HOME, ...settings, ...listenVariables(sockets) },
    stdio: ['ignore', 'pipe', 'pipe', ...sockets.map(({ descriptor }) => descriptor)],
  });
  const processFile = join(folder, `${PROCESS_FILE_PREFIX}${child.pid ?? 0}`);
  writeFileSync(processFile, '');
  let closed = false;
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      closed = true;
      rmSync(processFile, { force: true });
      resolve(code);
    });
  });
  return {
    pid: child.pid ?? 0,
    ...collectOutput(child),
    hasEnded: () => closed,
    ended: () => ended,
    signal: (name) => child.kill(name),
  };
}

function listenVariables(sockets: readonly HandedSocket[]): Record<string, string> {
  if (sockets.length === 0) return {};
  const names = sockets.map(({ name }) => name).join(':');
  return { LISTEN_FDS: String(sockets.length), LISTEN_FDNAMES: names };
}

function collectOutput(child: ChildProcess): { stdout(): string; stderr(): string } {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return { stdout: () => stdout, stderr: () => stderr };
}
