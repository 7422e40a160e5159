import { expect, test } from 'vitest';
import { SipHash } from './sip-hash.ts';

// The vectors of the algorithm's authors: key 00…0f, messages of n octets 00, 01, 02 …
test.each([
  [0, '310e0edd47db6f72'],
  [1, 'fd67dc93c539f874'],
  [2, '5a4fa9d909806c0d'],
  [3, '2d7efbd796666785'],
  [4, 'b7877127e09427cf'],
  [7, '37d1018bf50002ab'],
  [8, '6224939a79f5f593'],
  [15, 'e545be4961ca29a1'],
  [16, 'db9bc2577fcc2a3f'],
  [63, '724506eb4c328a95'],
])('the hash of %i octets equals the published vector', (length, hash) => {
  const hashed = new Uint8Array(10);
  const key = Uint8Array.from({ length: 16 }, (_, i) => i);
  const message = Uint8Array.from({ length: 64 }, (_, i) => i);
  new SipHash(key).hash(message, length, hashed, 1);
  expect(Buffer.from(hashed).toString('hex')).toBe(`00${hash}00`);
});
