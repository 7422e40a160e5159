import { expect, test } from 'vitest';
import fc from 'fast-check';
import { formatError, errorStatuses, type ErrorCode } from './errors.ts';

test('an error body has its members in the order of the contract', () => {
  expect(formatError({ code: 'unknown_domain', message: 'Invalid domain "x.example"' })).toBe(
    '{"error":"Invalid domain \\"x.example\\"","status":404,"code":"unknown_domain"}',
  );
  expect(formatError({ code: 'invalid_request', message: 'ttl is required', field: 'ttl', index: 3 })).toBe(
    '{"error":"ttl is required","status":400,"code":"invalid_request","field":"ttl","index":3}',
  );
});

test('an error body is shorter than 512 bytes and valid JSON, whatever input it quotes', () => {
  const codes = Object.keys(errorStatuses) as ErrorCode[];
  fc.assert(
    fc.property(
      fc.constantFrom(...codes),
      fc.string({ unit: 'binary', maxLength: 3000 }),
      (code, message) => {
        const text = formatError({ code, message, field: 'priority', index: 99_999 });
        expect(Buffer.byteLength(text)).toBeLessThan(512);
        const body = JSON.parse(text) as { error: string; status: number };
        expect(body.status).toBe(errorStatuses[code]);
        expect(body.error === message || body.error.endsWith('…')).toBe(true);
      },
    ),
  );
  const cut = formatError({ code: 'invalid_request', message: '😀'.repeat(400) });
  expect(cut).not.toMatch(/\\ud8/);
  expect(Buffer.byteLength(cut)).toBeGreaterThan(450);
});

test('401, 415 and 422 are never sent', () => {
  for (const status of Object.values(errorStatuses)) expect([401, 415, 422]).not.toContain(status);
});
