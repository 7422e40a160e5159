import { expect, test } from 'vitest';
import { createReadiness, type PartsState } from './create-readiness.ts';

const away = { phase: 'away', seq: 0, feedSeq: null, lagMs: null } as const;
const behind = { phase: 'away', seq: 7, feedSeq: 9, lagMs: 1_500 } as const;
const current = { phase: 'following', seq: 9, feedSeq: 9, lagMs: 0 } as const;
const renewing = { phase: 'copying', seq: 0, feedSeq: 9, lagMs: 1_500 } as const;
const alone = {
  isComplete: true,
  isStopping: false,
  copy: undefined,
  dnsThreads: undefined,
  isDatabaseReady: undefined,
};
const threads = { workers: 2, answering: 2 };

test.each<[string, PartsState, boolean]>([
  ['the embedded store, started', alone, true],
  ['the embedded store, starting', { ...alone, isComplete: false }, false],
  ['an API with its database', { ...alone, isDatabaseReady: true }, true],
  ['an API without its database', { ...alone, isDatabaseReady: false }, false],
  ['a nameserver that was never given zones', { ...alone, copy: away }, false],
  ['a nameserver that makes its first copy', { ...alone, copy: renewing }, false],
  ['a nameserver of an empty database', { ...alone, copy: { ...current, seq: 0, feedSeq: 0 } }, true],
  ['a nameserver without its database', { ...alone, copy: behind }, true],
  ['both, with the database', { ...alone, copy: current, isDatabaseReady: true }, true],
  ['both, without the database', { ...alone, copy: behind, isDatabaseReady: false }, false],
  [
    'a nameserver, one of whose threads is being replaced',
    { ...alone, dnsThreads: { workers: 2, answering: 1 } },
    true,
  ],
  ['a nameserver, all of whose threads are', { ...alone, dnsThreads: { workers: 2, answering: 0 } }, false],
])('%s', (_, state, ready) => {
  expect(createReadiness(() => state)().ready).toBe(ready);
});

test('a nameserver that has had zones stays ready while its copy is made anew', () => {
  let copy: PartsState['copy'] = behind;
  const readiness = createReadiness(() => ({ ...alone, copy }));
  expect(readiness().ready).toBe(true);
  copy = renewing;
  expect(readiness().ready).toBe(true);
});

test('what is missing is said of a service that neither starts nor stops', () => {
  const reasonOf = (state: PartsState): string | undefined => createReadiness(() => state)().reason;
  const withoutDatabase = { ...alone, isDatabaseReady: false };
  expect(reasonOf(withoutDatabase)).toBe('The database is away');
  expect(reasonOf({ ...withoutDatabase, isComplete: false })).toBeUndefined();
  expect(reasonOf({ ...alone, copy: away })).toBe('No zones have been copied from the database yet');
  expect(reasonOf({ ...alone, dnsThreads: { workers: 1, answering: 0 } })).toBe('No thread answers DNS');
  expect(reasonOf(alone)).toBeUndefined();
});

test('the detail says what is there and how far behind', () => {
  const state = { ...alone, copy: behind, dnsThreads: threads, isDatabaseReady: false };
  expect(createReadiness(() => state)().detail).toEqual({
    database: 'away',
    zone_copy: { phase: 'away', seq: 7, feed_seq: 9, lag_seconds: 1.5 },
    dns_threads: { wanted: 2, answering: 2 },
  });
  expect(createReadiness(() => alone)().detail).toEqual({});
});

test('a severe problem is the reason, and every problem is in the detail', () => {
  const list = [{ problem: 'deletion_held', message: 'Nothing is deleted' }];
  const mild = { ...alone, problems: { reason: undefined, list } };
  expect(createReadiness(() => mild)()).toEqual({ ready: true, detail: { problems: list } });
  const severe = { ...alone, isDatabaseReady: false, problems: { reason: 'The log-in failed', list } };
  expect(createReadiness(() => severe)()).toMatchObject({ ready: false, reason: 'The log-in failed' });
});

test('a severe problem explains a start that does not end, but not a stop', () => {
  const problems = { reason: 'The database refuses the log-in', list: [] };
  const reasonOf = (isStopping: boolean): string | undefined =>
    createReadiness(() => ({ ...alone, isComplete: false, isStopping, problems }))().reason;
  expect(reasonOf(false)).toBe('The database refuses the log-in');
  expect(reasonOf(true)).toBeUndefined();
});
