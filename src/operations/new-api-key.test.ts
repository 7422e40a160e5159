import { expect, test } from 'vitest';
import { API_KEY_ALPHABET, isWellFormedApiKey } from '../model/api-key.ts';
import { hashApiKey, newApiKey } from './new-api-key.ts';

test('new keys are well-formed, unique, and use every character equally often', () => {
  const keys = new Set<string>();
  const counts = new Map<string, number>();
  for (let drawn = 0; drawn < 4000; drawn++) {
    const key = newApiKey();
    expect(isWellFormedApiKey(key)).toBe(true);
    keys.add(key);
    for (const character of key.slice(3, 35)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  expect(keys.size).toBe(4000);
  const expected = (4000 * 32) / API_KEY_ALPHABET.length;
  // A modulo bias would make the first eight characters a quarter more frequent; five standard deviations are a ninth.
  for (const character of API_KEY_ALPHABET) {
    expect(Math.abs((counts.get(character) ?? 0) - expected)).toBeLessThan(expected / 7);
  }
});

test('the hash of a key is the SHA-256 of its text', () => {
  expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
