import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { PROCESS_FILE_PREFIX, PROGRAMME } from './programme.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder that everything of this run stands in. */
    readonly testFolder: string;
  }
}

/**
 * Around all service tests: one folder for everything they write. Whatever is left when they have ended, or were
 * broken off, goes with it: processes first, then files.
 */
export default function setUp(project: TestProject): () => void {
  if (!existsSync(PROGRAMME)) throw new Error('dist/app/main.js is missing: run `npm run build` first');
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
    // It has ended meanwhile.
  }
}
