import { expect, test } from 'vitest';
import { readDifference } from './copy-target.ts';

test('the warnings of a plan name the records, and no lines', () => {
  const warning = { code: 'ttl_short', severity: 'warning', name: 'www', type: 'A', record: null } as const;
  const warnings = [
    { ...warning, message: 'short' },
    { ...warning, message: 'long' },
  ];
  const changes = { created: [], updated: [], deleted: [], unchanged: 0 };
  expect(readDifference({ changes, warnings }, { isListing: false }).warnings).toEqual([
    'warning: www A: short',
    'warning: www A: long',
  ]);
});
