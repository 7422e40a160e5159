// What a suite is, and how its cases are run and printed: one line each, and everything the client and the wire said where one fails.

import type { Api } from './api.ts';
import type { Dig } from './dig.ts';
import type { Service } from './service.ts';
import type { TestAuthority } from './test-certificates.ts';
import type { VultrGateway } from './vultr-gateway.ts';
import type { WireTap } from './wire-tap.ts';

/** No case takes longer on the slowest machine we know, except to hang. */
const CASE_TIMEOUT_MS = 240_000;

/** A DKIM record is shown whole; of what is longer, the beginning. */
const MAX_LINE_CHARS = 500;

/** What all suites share: the running service and the ways to it. */
export interface Bench {
  readonly service: Service;
  /** Straight to the service, for what a test prepares or looks at. */
  readonly api: Api;
  readonly dig: Dig;
  /** Where clients are pointed: everything that passes is recorded. */
  readonly tap: WireTap;
  /** For clients that only know https://api.vultr.com. */
  readonly gateway: VultrGateway;
  readonly authority: TestAuthority;
  /** A folder of the run, removed at its end. */
  readonly folder: string;
}

/** Runs one case; `body` returns what was seen, in a few words, and throws where that is not as it must be. */
export type RunCase = (title: string, body: () => Promise<string>) => Promise<void>;

export interface Suite {
  readonly name: string;
  run(runCase: RunCase, bench: Bench): Promise<void>;
}

export interface Tally {
  passed: number;
  failed: string[];
}

/** Runs one suite to its end; a failing case does not keep the following ones from running. */
export async function runSuite(suite: Suite, bench: Bench, tally: Tally): Promise<void> {
  const runCase: RunCase = async (title, body) => {
    const name = `${suite.name}: ${title}`;
    bench.tap.clear();
    const startedMs = performance.now();
    try {
      const seen = await withTimeout(body());
      tally.passed += 1;
      print(`ok      ${name} — ${seen} (${elapsed(startedMs)})`);
    } catch (error) {
      tally.failed.push(name);
      print(`FAILED  ${name} (${elapsed(startedMs)})`);
      print(indent(error instanceof Error ? error.message : String(error)));
      const transcript = bench.tap.transcript();
      if (transcript !== '') print(indent(`On the wire (> client, < service):\n${transcript}`));
    }
  };
  try {
    await suite.run(runCase, bench);
  } catch (error) {
    await runCase('the suite itself', () => {
      throw error;
    });
  }
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${CASE_TIMEOUT_MS / 1000} s`)), CASE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function elapsed(startedMs: number): string {
  return `${((performance.now() - startedMs) / 1000).toFixed(2)} s`;
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `        ${line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)} …` : line}`)
    .join('\n');
}
