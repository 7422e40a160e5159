import { expect, test } from 'vitest';
import { rrType } from '../dns/codes.ts';
import { formatRdata, parseRdata } from '../dns/rdata/rdata.ts';
import { openKeySecrets } from './key-secrets.ts';
import { sealZoneKey } from './private-key.ts';
import { readPrivateKey } from './read-private-key.ts';
import { rrsigRdata, signedLabels, signRrset, type SignedSet } from './signed-data.ts';
import type { ZoneKey } from './zone-key.ts';
import { nameOf } from './zone-records.test-support.ts';
import { createZoneSigner, type ZoneSigner } from './zone-signer.ts';

const secrets = openKeySecrets(['a secret of more than 32 characters']);
const signer = createZoneSigner(secrets);
const apex = nameOf('example.com.');

/** The key of RFC 8080 section 6.1; its signatures contain no random numbers. */
function rfc8080Key(): ZoneKey {
  const text =
    'Private-key-format: v1.2\nAlgorithm: 15\nPrivateKey: ODIyNjAzODQ2MjgwODAxMjI2NDUxOTAyMDQxNDIyNjI=\n';
  const material = readPrivateKey(text);
  if (!material.ok) throw new Error(material.problem);
  return sealZoneKey({ id: 'rfc8080', createdAtSeconds: 0, origin: 'imported' }, material.value, secrets);
}

function data(type: number, text: string): Uint8Array {
  const rdata = parseRdata(type, text);
  if (!rdata.ok) throw new Error(rdata.problem);
  return rdata.value;
}

/** A set with the times of the RFC's examples. */
function setOf(type: number, owner: string, texts: readonly string[]): SignedSet {
  const rdatas = texts.map((text) => data(type, text));
  return {
    owner: nameOf(owner),
    type,
    ttl: 3600,
    rdatas,
    apex,
    inception: 1_438_207_200,
    expiration: 1_440_021_600,
  };
}

test('signs the MX set of RFC 8080 section 6.1 with the signature that is printed there', () => {
  const set = setOf(rrType.MX, 'example.com.', ['10 mail.example.com.']);
  const text = formatRdata(rrType.RRSIG, rrsigRdata(signRrset(signer, rfc8080Key(), set), set));
  expect(text).toBe(
    'MX 15 2 3600 20150819220000 20150729220000 3613 example.com. ' +
      'oL9krJun7xfBOIWcGHi7mag5/hdZrKWw15jPGrHpjQeRAvTdszaPD+QLs3fx8A4M3e23mRZ9VrbpMngwcrqNAg==',
  );
});

/** The octets that are signed, in hex. */
function signedOctets(set: SignedSet): string {
  let octets = '';
  const spy: Pick<ZoneSigner, 'sign'> = {
    sign: (_, signed) => {
      octets = Buffer.from(signed).toString('hex');
      return new Uint8Array(64);
    },
  };
  signRrset(spy, rfc8080Key(), set);
  return octets;
}

test('order, repetition and case do not change what is signed', () => {
  const names = ['ns1.example.com.', 'a.example.com.', 'ns.example.net.'];
  const plain = signedOctets(setOf(rrType.NS, 'sub.example.com.', names));
  const reversed = names.toReversed().map((name) => name.toUpperCase());
  expect(signedOctets(setOf(rrType.NS, 'SUB.Example.com.', [...reversed, ...names]))).toBe(plain);
});

test('data is ordered octet by octet, a shorter one before a longer one that begins with it', () => {
  const texts = ['"b"', '"ab"', '"a" "b"', '"a"'];
  const octets = signedOctets(setOf(rrType.TXT, 't.example.com.', texts));
  const inOrder = ['"a"', '"a" "b"', '"b"', '"ab"'].map((text) =>
    Buffer.from(data(rrType.TXT, text)).toString('hex'),
  );
  const places = inOrder.map((hex) =>
    octets.indexOf(`00000e10${(hex.length / 2).toString(16).padStart(4, '0')}${hex}`),
  );
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test.each([
  ['.', 0],
  ['com.', 1],
  ['www.example.com.', 3],
  ['*.example.com.', 2],
  ['a.*.example.com.', 4],
  ['**.example.com.', 3],
])('signedLabels(%s) is %i', (owner, labels) => {
  expect(signedLabels(nameOf(owner))).toBe(labels);
});
