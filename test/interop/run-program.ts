// Runs external programs to their end, or as long as a test needs them. Each is ended by its own pid.

import { spawn, type ChildProcess } from 'node:child_process';

/** Long enough for a compiler on a slow machine; anything slower hangs. */
const PROGRAM_TIMEOUT_MS = 180_000;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
}

const running = new Set<ChildProcess>();

/** The environment of every client: that of a shell, without the proxies, keys and settings of the user. */
export function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8', ...extra };
}

/** Runs a program to its end and returns its output; rejects only if it cannot be started or does not end. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = startProgram(command, args, options);
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const timer = setTimeout(() => {
      killGroup(child);
      reject(new Error(`${command} did not end within ${PROGRAM_TIMEOUT_MS / 1000} s\n${stdout}\n${stderr}`));
    }, PROGRAM_TIMEOUT_MS);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr });
    });
    child.stdin?.end(options.stdin ?? '');
  });
}

/** Starts a program that stays; the caller reads its pipes. */
export function startProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): ChildProcess {
  const child = spawn(command, args, {
    env: options.env ?? cleanEnvironment(),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group, so that its children (Ansible's workers) end with it.
    detached: true,
  });
  child.stdin.on('error', () => undefined);
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/** Sends SIGTERM, and SIGKILL after `graceMs`. Resolves with the exit code. */
export function stopProgram(child: ChildProcess, graceMs: number): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    const timer = setTimeout(() => killGroup(child), graceMs);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
    child.kill('SIGTERM');
  });
}

/** Sends SIGKILL to the program and its children. Resolves when it has ended. */
export function killProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('close', () => resolve());
    killGroup(child);
  });
}

/** Called at the end in any case. */
export function killEverythingStarted(): void {
  for (const child of running) killGroup(child);
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
