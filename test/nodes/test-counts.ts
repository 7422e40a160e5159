import { readFileSync } from 'node:fs';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/** The parts that are read of a file of Vitest's JSON reporter. */
interface JsonReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly success: boolean;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/**
 * Counts the tests of a report. A file that fails outside of its tests counts as one failed test, and so does a run
 * that fails for any other reason, or that leaves no report.
 */
export function readTestCounts(path: string): TestCounts {
  let report: JsonReport;
  try {
    report = JSON.parse(readFileSync(path, 'utf8')) as JsonReport;
  } catch {
    return { passed: 0, failed: 1 };
  }
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
  );
  const failed = report.numFailedTests + brokenFiles.length;
  return { passed: report.numPassedTests, failed: failed === 0 && !report.success ? 1 : failed };
}

export function formatTestCounts({ passed, failed }: TestCounts): string {
  return `${passed} passed, ${failed} failed`;
}
