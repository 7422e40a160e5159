// Runs the tests on every supported version of Node, all with the same installed packages:
//
//   npm run test:nodes                                     everything on 20, 22, 24 and 26
//   npm run test:nodes -- --only 24 --project unit         one version, one project; both can be repeated
//
// Prints one line for each version and ends with 1 if a test failed on any of them.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { environmentOf, findNode } from './node-binary.ts';
import { formatTestCounts, readTestCounts, type TestCounts } from './test-counts.ts';

/** The oldest version that package.json allows, and every later one with long-term support. */
const MAJOR_VERSIONS = ['20', '22', '24', '26'];

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

interface NodeResult extends TestCounts {
  readonly version: string;
  readonly seconds: number;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    project: { type: 'string', multiple: true },
  },
});
const majors = values.only ?? MAJOR_VERSIONS;
const unknown = majors.find((major) => !MAJOR_VERSIONS.includes(major));
if (unknown !== undefined) throw new Error(`--only ${unknown}: choose from ${MAJOR_VERSIONS.join(', ')}`);

const results: NodeResult[] = [];
for (const major of majors) results.push(await runTests(major, values.project ?? []));
for (const { version, seconds, ...counts } of results)
  process.stdout.write(`Node ${version.padEnd(9)} ${formatTestCounts(counts)} (${seconds} s)\n`);
process.exitCode = results.some(({ failed }) => failed > 0) ? 1 : 0;

async function runTests(major: string, projects: readonly string[]): Promise<NodeResult> {
  const binary = findNode(major);
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-nodes-'));
  const report = join(folder, 'report.json');
  const startMs = performance.now();
  try {
    const version = await runNode(binary, ['--version'], 'pipe');
    process.stdout.write(`\nNode ${version.output.trim()}\n`);
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const words = [VITEST, 'run', ...reporters, ...projects.map((project) => `--project=${project}`)];
    const { code } = await runNode(binary, words, 'inherit');
    const { passed, failed } = readTestCounts(report);
    return {
      version: version.output.trim(),
      passed,
      failed: code === 0 ? failed : Math.max(failed, 1),
      seconds: Math.round((performance.now() - startMs) / 1000),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runNode(
  binary: string,
  words: readonly string[],
  stdout: 'pipe' | 'inherit',
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, words, {
      env: environmentOf(binary),
      stdio: ['ignore', stdout, 'inherit'],
    });
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
