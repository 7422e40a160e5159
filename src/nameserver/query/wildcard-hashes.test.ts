import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { lowerDomainName, parseDomainName } from '../../dns/name.ts';
import { NameScan } from '../../zone/name-scan.ts';
import { WildcardHashes } from './wildcard-hashes.ts';

/** More names than there are places, so that some of them share one. */
const NAMES = 500;
const ROUNDS = 3;

function scanOf(text: string): NameScan {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  const name = lowerDomainName(parsed.value);
  const scan = new NameScan(1);
  scan.scan(name, 0, name.length);
  return scan;
}

function sha1(name: NameScan): string {
  return createHash('sha1').update(name.bytes.subarray(0, name.length)).digest('hex');
}

test('WildcardHashes has the hash of every name, whatever it kept before', () => {
  const hashes = new WildcardHashes();
  const names = Array.from({ length: NAMES }, (_, i) => scanOf(`*.zone-${i % 7}.${i}.example`));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      expect(Buffer.from(hashes.of(name)).toString('hex')).toBe(sha1(name));
      expect(Buffer.from(hashes.of(name)).toString('hex')).toBe(sha1(name));
    }
  }
});

test('WildcardHashes tells names apart whose hashes for look-ups are equal', () => {
  const hashes = new WildcardHashes();
  const one = scanOf('*.one.example');
  const other = scanOf('*.two.example');
  other.hashes.set(one.hashes);
  for (const name of [one, other, one]) expect(Buffer.from(hashes.of(name)).toString('hex')).toBe(sha1(name));
});
