import { expect, test } from 'vitest';
import { textTerminal } from '../terminal/text-terminal.test-support.ts';
import { noDifference } from './copy-target.ts';
import { noneKept } from './plan-zone.ts';
import { complainAbout } from './print-reports.ts';

test('skipped records are one group if their reasons differ only in numbers', () => {
  const terminal = textTerminal();
  const skipped = Array.from({ length: 25 }, (_, at) => ({
    record: `h${at} 5 IN A 192.0.2.1`,
    reason: `line ${at + 1} has the same record with TTL ${at + 60}`,
  }));
  const difference = { ...noDifference, skipped };
  const common = { isNew: true, kept: noneKept, skipped: [], notes: [], problems: [], exitCode: 0 };
  complainAbout(terminal, [{ ...common, domain: 'example.com', status: 'planned', difference }]);
  const lines = terminal.stderr.trimEnd().split('\n');
  expect(lines).toHaveLength(21);
  expect(lines[1]).toContain('skipped, line 2 has the same record with TTL 61: h1 5 IN A 192.0.2.1');
  expect(lines.at(-1)).toContain('… and 5 more like these');
});
