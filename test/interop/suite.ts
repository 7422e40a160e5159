// Suites of cases: each case prints one line, and a failing one also prints everything that the client and the wire
// showed.

import type { Api } from './api.ts';
import type { Dig } from './dig.ts';
import type { Service } from './service.ts';
import type { TestAuthority } from './test-certificates.ts';
import type { VultrGateway } from './vultr-gateway.ts';
import type { WireTap } from './wire-tap.ts';

/** Longer than any case takes on a slow machine. */
const CASE_TIMEOUT_MS = 240_000;

/** Shows a DKIM record completely and the beginning of longer lines. */
const MAX_LINE_CHARS = 500;

/** Shared by all suites: the running service and the ways to reach it. */
export interface Bench {
  readonly service: Service;
  /** Direct access to the service, for setup and checks. */
  readonly api: Api;
  readonly dig: Dig;
  /** The address for clients; everything that passes is recorded. */
  readonly tap: WireTap;
  /** For clients with the fixed address https://api.vultr.com. */
  readonly gateway: VultrGateway;
  readonly authority: TestAuthority;
  /** A folder for this run, removed at its end. */
  readonly folder: string;
}

/** Runs one case. `body` returns a short description of the result, and throws if it is wrong. */
export type RunCase = (title: string, body: () => Promise<string>) => Promise<void>;

export interface Suite {
  readonly name: string;
  run(runCase: RunCase, bench: Bench): Promise<void>;
}

export interface Tally {
  passed: number;
  failed: string[];
}

/** Runs one suite; a failing case does not prevent the following ones. */
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
