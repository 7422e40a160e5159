import { expect, test } from 'vitest';
import { newApiKey } from '../operations/new-api-key.ts';
import { createLog } from './create-log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  write(createLog('info', undefined, { write: (line) => void (text += line) }));
  return text;
}

test('a line is JSON with time, level, fields and message', () => {
  const line = JSON.parse(logged((log) => log.info({ http: '127.0.0.1:1' }, 'ready'))) as Record<
    string,
    unknown
  >;
  expect(line).toEqual({ level: 'info', time: line['time'], http: '127.0.0.1:1', msg: 'ready' });
  expect(line['time']).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});

test('keys and passwords are masked wherever they stand', () => {
  const key = newApiKey();
  const text = logged((log) => {
    log.error(
      { err: new Error(`bad key ${key}`), headers: { authorization: `Bearer ${key}` } },
      `saw ${key}`,
    );
    log.warn({ url: 'postgres://zw:geheim@db/zw' }, 'database');
  });
  expect(text).not.toContain(key);
  expect(text).not.toContain('geheim');
  expect(text).toContain('"authorization":"Bearer zw_***"');
  expect(text).toContain('postgres://zw:***@db/zw');
});

test('lines below the level are not written', () => {
  expect(logged((log) => log.debug({}, 'noise'))).toBe('');
});
