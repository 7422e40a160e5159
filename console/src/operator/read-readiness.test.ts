import { expect, test } from 'vitest';
import { readReadiness } from './read-readiness.ts';

const away = { problem: 'nameserver_away', message: 'The nameserver process is away; writes are refused' };

test('readReadiness() reads a process that is ready, with the embedded store', () => {
  const body = { status: 'ready', dns_threads: { wanted: 2, answering: 2 } };
  expect(readReadiness(200, body)).toEqual({
    ...{ isReady: true, reason: undefined, problems: [], database: undefined, lagSeconds: undefined },
    threads: { wanted: 2, answering: 2 },
  });
});

test('readReadiness() reads a process that is not ready, with PostgreSQL', () => {
  const body = {
    ...{ error: 'The database is away', status: 503, code: 'not_ready', database: 'away' },
    zone_copy: { phase: 'away', seq: 7, feed_seq: null, lag_seconds: null },
    problems: [away],
  };
  expect(readReadiness(503, body)).toEqual({
    ...{ isReady: false, reason: 'The database is away', problems: [away], database: 'away' },
    ...{ lagSeconds: null, threads: undefined },
  });
});

test.each([
  ['a page', 200, '<html>'],
  ['nothing', 503, undefined],
  ['an error of a proxy', 502, { error: 'Bad gateway' }],
  ['another state', 200, { status: 'ok' }],
])('readReadiness() knows that %s is no answer of the service', (_what, status, body) => {
  expect(readReadiness(status, body)).toBeUndefined();
});
