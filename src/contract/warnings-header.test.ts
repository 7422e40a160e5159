import { expect, test } from 'vitest';
import type { ZoneWarning } from '../model/zone-warning.ts';
import { formatWarningsHeader, parseWarningsHeader } from './warnings-header.ts';

const warning: ZoneWarning = {
  code: 'target_without_domain',
  severity: 'warning',
  name: '',
  type: 15,
  recordId: '0193489f-8a3b-7abc-8def-0123456789ab',
  message: 'The MX record names mail.; say "mail\\.example.com."',
};

test('a warning is a member of a structured list', () => {
  expect(formatWarningsHeader([warning])).toBe(
    'target_without_domain;severity=warning;name="";type=MX;record="0193489f-8a3b-7abc-8def-0123456789ab";message="The MX record names mail.; say \\"mail\\\\.example.com.\\""',
  );
});

test('clients read what was written, also other than ASCII', () => {
  const other: ZoneWarning = {
    ...warning,
    code: 'ttl_short',
    severity: 'error',
    name: 'büro',
    type: null,
    recordId: null,
    message: '100 % “automatic”, says "1"',
  };
  const header = formatWarningsHeader([warning, other]);
  expect(header).toMatch(/^[\x20-\x7e]+$/);
  const shown = ({ code, severity, name, message }: ZoneWarning) => ({ code, severity, name, message });
  expect(parseWarningsHeader(header)).toEqual({
    warnings: [
      { ...shown(warning), type: 'MX', record: warning.recordId },
      { ...shown(other), type: null, record: null },
    ],
    more: 0,
  });
});

test('a header is bounded, and counts the warnings that do not fit', () => {
  const header = formatWarningsHeader(Array.from({ length: 100 }, () => warning));
  expect(header.length).toBeLessThan(2100);
  const { warnings, more } = parseWarningsHeader(header);
  expect(warnings.length + more).toBe(100);
  expect(more).toBeGreaterThan(80);
});

test('a header of another form has no warnings', () => {
  expect(parseWarningsHeader('299 - "Warning"')).toEqual({ warnings: [], more: 0 });
});
