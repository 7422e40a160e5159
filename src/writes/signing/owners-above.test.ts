import { expect, test } from 'vitest';
import type { OwnerKey } from '../../model/record.ts';
import { ownersAbove } from './owners-above.ts';

test.each([
  ['', []],
  ['www', ['']],
  ['a.b.c', ['b.c', 'c', '']],
  ['a\\.b.c', ['c', '']],
  ['\\\\.\\046\\.x.y', ['\\046\\.x.y', 'y', '']],
])('ownersAbove(%j)', (owner, above) => {
  expect([...ownersAbove(owner as OwnerKey)]).toEqual(above);
});
