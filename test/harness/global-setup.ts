import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { PROCESS_FILE_PREFIX, PROGRAM } from './program.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder for all files of this run. */
    readonly testFolder: string;
  }
}

/**
 * Sets up all service tests: one folder for everything they write. When they have ended or were interrupted, everything
 * left over is removed: processes first, then files.
 */
export default function setUp(project: TestProject): () => void {
  if (!existsSync(PROGRAM)) throw new Error('dist/app/main.js is missing: run `npm run build` first');
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-test-'));
  project.provide('testFolder', folder);
  return () => {
    for (const file of readdirSync(folder)) {
      if (file.startsWith(PROCESS_FILE_PREFIX)) killLeftOver(Number(file.slice(PROCESS_FILE_PREFIX.length)));
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

function killLeftOver(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
