import { createPublicKey, verify } from 'node:crypto';
import type { DnsReply, RawRecord } from './dns-client.ts';

/*
 * Checks a signature without the service's code (RFC 4034 section 3.1.8.1, RFC 6605), for sets whose data has no names.
 */

const RRSIG = 46;
/** The fields of an RRSIG record in front of the signer's name. */
const FIXED_OCTETS = 18;

/** @param dnskey `257 3 13 …`, as the service lists it */
export function isSigned(
  reply: DnsReply,
  owner: string,
  type: number,
  apex: string,
  dnskey: string,
): boolean {
  const set = reply.answers.filter((record) => record.type === type);
  const signature = reply.answers.find(
    ({ type: of, rdata }) => of === RRSIG && rdata.readUInt16BE(0) === type,
  );
  if (set.length === 0 || signature === undefined) return false;
  const { rdata } = signature;
  const signer = wireName(apex);
  const fixed = rdata.subarray(0, FIXED_OCTETS);
  const now = Math.floor(Date.now() / 1000);
  if (now < fixed.readUInt32BE(12) || now > fixed.readUInt32BE(8)) return false;
  const data = Buffer.concat([fixed, signer, ...canonicalSet(set, wireName(owner), fixed.readUInt32BE(4))]);
  return verify(
    'sha256',
    data,
    { key: publicKey(dnskey), dsaEncoding: 'ieee-p1363' },
    rdata.subarray(FIXED_OCTETS + signer.length),
  );
}

function canonicalSet(set: readonly RawRecord[], owner: Buffer, ttl: number): readonly Buffer[] {
  const datas = set.map(({ rdata }) => rdata).sort((a, b) => Buffer.compare(a, b));
  return datas.map((rdata) => {
    const head = Buffer.alloc(10);
    head.writeUInt16BE(set[0]?.type ?? 0, 0);
    head.writeUInt16BE(1, 2);
    head.writeUInt32BE(ttl, 4);
    head.writeUInt16BE(rdata.length, 8);
    return Buffer.concat([owner, head, rdata]);
  });
}

function publicKey(dnskey: string): ReturnType<typeof createPublicKey> {
  const point = Buffer.from(dnskey.split(' ').slice(3).join(''), 'base64');
  const [x, y] = [point.subarray(0, 32), point.subarray(32)].map((half) => half.toString('base64url'));
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
}

function wireName(name: string): Buffer {
  const labels = name.toLowerCase().split('.');
  return Buffer.concat([
    ...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.of(0),
  ]);
}
