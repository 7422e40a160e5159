import { expect, test } from 'vitest';
import type { WriteSuccess } from '../model/result.ts';
import { answerDone } from './answer.ts';

test('a write whose difference is undefined is not answered as a dry run', () => {
  const result = { ok: true, value: null, changed: true, difference: undefined };
  expect(answerDone(result as unknown as WriteSuccess<null>)).toEqual({ status: 204, body: '' });
});
