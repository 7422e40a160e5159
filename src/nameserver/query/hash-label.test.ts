import { expect, test } from 'vitest';
import { HASH_LABEL_OCTETS, writeHashLabel } from './hash-label.ts';

test.each([
  ['00443214c74254b635cf84653a56d7c675be77df', '0123456789abcdefghijklmnopqrstuv'],
  ['0000000000000000000000000000000000000000', '00000000000000000000000000000000'],
  ['ffffffffffffffffffffffffffffffffffffffff', 'vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv'],
])('writeHashLabel() writes %s as %s', (hash, label) => {
  const into = new Uint8Array(2 + HASH_LABEL_OCTETS);
  writeHashLabel(Buffer.from(`ab${hash}`, 'hex'), 1, into, 1);
  expect(Buffer.from(into).toString('latin1')).toBe(`\0\x20${label}\0`);
});
