import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rrType } from '../dns/codes.ts';
import { isDataType } from '../dns/type-mnemonic.ts';
import { ownerStatus } from '../dns/proven-types.ts';
import {
  decodeHashedName,
  decodeOwnerSignatures,
  decodeSignedSoa,
  encodeHashedName,
  encodeOwnerSignatures,
  encodeSignedSoa,
  generatedType,
  hashedNameId,
  isGeneratedId,
  keySetId,
  MAX_SIGNED_SETS,
  NAME_HASH_OCTETS,
  signaturesId,
  SOA_ID,
} from './generated-row.ts';

const u16 = fc.integer({ min: 0, max: 0xffff });
const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const octets = fc.uint8Array({ maxLength: 80 });
const signature = (type: fc.Arbitrary<number> = u16) =>
  fc.record({
    type,
    keyTag: u16,
    algorithm: fc.integer({ min: 0, max: 255 }),
    inception: u32,
    expiration: u32,
    signature: octets,
  });
const signatures = fc.array(signature(), { maxLength: 5 });
const status = fc.constantFrom(...Object.values(ownerStatus));
const hash = fc.uint8Array({ minLength: NAME_HASH_OCTETS, maxLength: NAME_HASH_OCTETS });

test('rows of generated types never have the type of a record', () => {
  expect(Object.values(generatedType).some(isDataType)).toBe(false);
});

test('generated ids sort after the ids of records', () => {
  const ids = [
    signaturesId(''),
    signaturesId('!a'),
    hashedNameId(new Uint8Array(20)),
    keySetId(48, 'x'),
    SOA_ID,
  ];
  expect(ids).toEqual(['~s', '~s!a', '~h00000000000000000000000000000000', '~k00048-x', '~o']);
  expect(ids.every(isGeneratedId)).toBe(true);
  expect(isGeneratedId('ffffffff-ffff-7fff-bfff-ffffffffffff')).toBe(false);
});

test('ids of hashes have the order of the hashes', () => {
  fc.assert(
    fc.property(hash, hash, (a, b) => {
      expect(hashedNameId(a) < hashedNameId(b)).toBe(Buffer.compare(a, b) < 0);
    }),
  );
});

test('what is packed is read again', () => {
  fc.assert(
    fc.property(signatures, status, hash, octets, (list, ownStatus, ownHash, rdata) => {
      const owner = { status: ownStatus, signatures: list };
      expect(decodeOwnerSignatures(encodeOwnerSignatures(ownStatus, list))).toEqual(owner);
      const soa = { rdata, signatures: list.map((one) => ({ ...one, type: rrType.SOA })) };
      expect(decodeSignedSoa(encodeSignedSoa(soa))).toEqual(soa);
      const hashed = { hash: ownHash, signatures: list.map((one) => ({ ...one, type: rrType.NSEC3 })) };
      const isEmpty = list.length === 0;
      expect(decodeHashedName(encodeHashedName(hashed))).toEqual(isEmpty ? undefined : hashed);
    }),
  );
});

test('damaged octets give undefined or what they would be packed into, and never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), (damaged) => {
      const owner = decodeOwnerSignatures(damaged);
      if (owner) expect(encodeOwnerSignatures(owner.status, owner.signatures)).toEqual(damaged);
      const soa = decodeSignedSoa(damaged);
      if (soa) expect(encodeSignedSoa(soa)).toEqual(damaged);
      const hashed = decodeHashedName(damaged);
      if (hashed) expect(encodeHashedName(hashed)).toEqual(damaged);
    }),
  );
});

test('octets that end early give undefined', () => {
  fc.assert(
    fc.property(signature(), status, hash, (one, ownStatus, ownHash) => {
      const packed = encodeOwnerSignatures(ownStatus, [one]);
      for (let end = 2; end < packed.length; end++) {
        expect(decodeOwnerSignatures(packed.subarray(0, end))).toBeUndefined();
      }
      expect(decodeOwnerSignatures(new Uint8Array())).toBeUndefined();
      expect(decodeHashedName(ownHash)).toBeUndefined();
      expect(decodeSignedSoa(new Uint8Array([0, 5, 1]))).toBeUndefined();
    }),
  );
});

test('the signatures of the most sets of an owner fit into one row', () => {
  const one = {
    type: 1,
    keyTag: 1,
    algorithm: 13,
    inception: 1,
    expiration: 2,
    signature: new Uint8Array(64),
  };
  const most = Array.from({ length: MAX_SIGNED_SETS }, () => one);
  expect(encodeOwnerSignatures(ownerStatus.AUTHORITATIVE, most).length).toBeLessThanOrEqual(0xffff);
});
