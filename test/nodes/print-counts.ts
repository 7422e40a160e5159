// Prints `N passed, N failed` for a report of Vitest: `node --import tsx test/nodes/print-counts.ts <file>`.
import { formatTestCounts, readTestCounts } from './test-counts.ts';

process.stdout.write(`${formatTestCounts(readTestCounts(process.argv[2]))}\n`);
