// Runs a program with text as input and octets as output.

import { spawn } from 'node:child_process';

/** Rejects with the program's output unless it exits with 0. The text is sent as octets, one per character. */
export function runForOctets(command: string, args: readonly string[], stdin: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` } });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.stdin.on('error', () => undefined);
    child.once('error', reject);
    child.once('close', (code) => {
      const said = Buffer.concat(stderr).toString('latin1');
      if (code === 0) resolve(Buffer.concat(stdout));
      else reject(new Error(`${command} ended with ${code}: ${said}`));
    });
    child.stdin.end(stdin, 'latin1');
  });
}
