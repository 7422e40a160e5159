import type { ZoneKey } from '../../dnssec/zone-key.ts';
import type { PreparedWrite } from '../../writes/prepared-write.ts';

/** A key as a JSON value; its private part is encrypted. */
export type PackedZoneKey = Omit<ZoneKey, 'dnskey' | 'sealed'> & {
  readonly dnskey: string;
  readonly sealed: string;
};

export function packZoneKey(key: ZoneKey): PackedZoneKey {
  return { ...key, dnskey: toText(key.dnskey), sealed: toText(key.sealed) };
}

export function unpackZoneKey(packed: PackedZoneKey): ZoneKey {
  return { ...packed, dnskey: toOctets(packed.dnskey), sealed: toOctets(packed.sealed) };
}

type PackedWrite = Omit<PreparedWrite, 'writes'> & {
  readonly writes: Omit<PreparedWrite['writes'], 'createdZoneKeys'> & {
    readonly createdZoneKeys: readonly { readonly domainId: number; readonly key: PackedZoneKey }[];
  };
};

/** Keys are the only octets of a prepared write that are not among its long lists. */
export function encodePreparedWrite(prepared: PreparedWrite): string {
  const createdZoneKeys = prepared.writes.createdZoneKeys.map(({ domainId, key }) => ({
    domainId,
    key: packZoneKey(key),
  }));
  const packed: PackedWrite = { ...prepared, writes: { ...prepared.writes, createdZoneKeys } };
  return JSON.stringify(packed);
}

export function decodePreparedWrite(text: string): PreparedWrite {
  const packed = JSON.parse(text) as PackedWrite;
  const createdZoneKeys = packed.writes.createdZoneKeys.map(({ domainId, key }) => ({
    domainId,
    key: unpackZoneKey(key),
  }));
  return { ...packed, writes: { ...packed.writes, createdZoneKeys } };
}

function toText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

function toOctets(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
