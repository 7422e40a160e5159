import { expect, test } from 'vitest';
import { openTextSealer } from './sealed-text.ts';

const sealer = openTextSealer('a secret', 'test 1');

test('a sealed text can be opened with the same secret and purpose only', () => {
  const sealed = sealer.seal('Grüße');
  expect(sealed).toMatch(/^[\w-]+$/);
  expect(openTextSealer('a secret', 'test 1').open(sealed)).toBe('Grüße');
  expect(openTextSealer('a secret', 'test 2').open(sealed)).toBeUndefined();
  expect(openTextSealer('another', 'test 1').open(sealed)).toBeUndefined();
  expect(sealer.seal('Grüße')).not.toBe(sealed);
});

test('a sealed text that was altered or cut is refused, whichever octet it is', () => {
  const octets = Buffer.from(sealer.seal('text'), 'base64url');
  for (const at of octets.keys()) {
    const altered = Buffer.from(octets);
    altered[at] ^= 1;
    expect(sealer.open(altered.toString('base64url')), String(at)).toBeUndefined();
    expect(sealer.open(octets.subarray(0, at).toString('base64url')), String(at)).toBeUndefined();
  }
});

test.each(['', 'x', 'a b', 'A'.repeat(4097)])('the text %j is refused', (text) => {
  expect(sealer.open(text)).toBeUndefined();
});
