// Reads the header that a proxy sends before the octets of its client: version 2 of the PROXY protocol, in binary, as
// HAProxy's specification defines it (haproxy.org, proxy-protocol.txt). Version 1, in text, is not accepted.
//
//   signature (12) | version, command (1) | family, transport (1) | length (2) | addresses | TLVs
import { SocketAddress } from 'node:net';
import type { ProxyHeaderRefusal } from '../base/connection-observer.ts';

export type ProxyHeader =
  /** More octets are needed. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'refused'; readonly reason: ProxyHeaderRefusal }
  /** The proxy itself connects, for example to check the service's health (command LOCAL). */
  | { readonly kind: 'proxy'; readonly sizeBytes: number }
  /** The address is undefined if the proxy does not know it, or if the client used a Unix socket. */
  | {
      readonly kind: 'client';
      readonly sizeBytes: number;
      readonly address: string | undefined;
      /** The client used TLS, which the proxy ended; undefined: the proxy does not say. */
      readonly usesTls: boolean | undefined;
    };

/** HAProxy's default buffer, so it cannot send a longer header; TLVs with a client's certificate take some kilobytes. */
const MAX_HEADER_BYTES = 16_384;

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const versionOne = Buffer.from('PROXY', 'latin1');

/** The fixed part, up to and including the length. */
const FIXED_BYTES = 16;
const VERSION_2 = 0x20;
const LOCAL = 0;
const PROXY = 1;

/** Octets of both addresses and both ports, by family and transport; datagrams cannot carry HTTP. */
const addressBytes: ReadonlyMap<number, number> = new Map([
  [0x00, 0],
  [0x11, 12],
  [0x21, 36],
  [0x31, 216],
]);
const TCP_OVER_IPV4 = 0x11;
const TCP_OVER_IPV6 = 0x21;

/** @param data everything received so far */
export function readProxyHeader(data: Buffer): ProxyHeader {
  if (!startsAsProxyHeader(data)) {
    const isOne = data.subarray(0, versionOne.length).equals(versionOne);
    return refused(isOne ? 'proxy_header_version_1' : 'proxy_header_missing');
  }
  if (data.length < FIXED_BYTES) return { kind: 'incomplete' };
  const command = data.readUInt8(12) - VERSION_2;
  const family = data.readUInt8(13);
  const length = data.readUInt16BE(14);
  if (command !== LOCAL && command !== PROXY) return refused('proxy_header_malformed');
  const needed = command === LOCAL ? 0 : addressBytes.get(family);
  if (needed === undefined || length < needed) return refused('proxy_header_malformed');
  const sizeBytes = FIXED_BYTES + length;
  if (sizeBytes > MAX_HEADER_BYTES) return refused('proxy_header_too_long');
  if (data.length < sizeBytes) return { kind: 'incomplete' };
  if (command === LOCAL) return { kind: 'proxy', sizeBytes };
  const address = readSource(family, data.subarray(FIXED_BYTES));
  const usesTls = saysTls(data.subarray(FIXED_BYTES + needed, sizeBytes));
  return { kind: 'client', sizeBytes, address, usesTls };
}

/** True if the octets are the signature, or the beginning of it. */
function startsAsProxyHeader(data: Buffer): boolean {
  const size = Math.min(data.length, signature.length);
  return data.subarray(0, size).equals(signature.subarray(0, size));
}

/** True if the octets begin with the whole signature. */
export function hasProxySignature(data: Buffer): boolean {
  return data.length >= signature.length && startsAsProxyHeader(data);
}

function readSource(family: number, addresses: Buffer): string | undefined {
  if (family === TCP_OVER_IPV4) return addresses.subarray(0, 4).join('.');
  if (family !== TCP_OVER_IPV6) return undefined;
  const groups = Array.from({ length: 8 }, (_, at) => addresses.readUInt16BE(2 * at).toString(16));
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address;
}

/** PP2_TYPE_SSL; the first octet of its value has the flag PP2_CLIENT_SSL. */
const TLS_TYPE = 0x20;
const CLIENT_TLS = 0x01;

/** @param tlvs type (1) | length (2) | value, repeated; what is malformed says nothing */
function saysTls(tlvs: Buffer): boolean | undefined {
  for (let at = 0; at + 3 < tlvs.length; at += 3 + tlvs.readUInt16BE(at + 1))
    if (tlvs[at] === TLS_TYPE && tlvs.readUInt16BE(at + 1) > 0) return (tlvs[at + 3] & CLIENT_TLS) !== 0;
  return undefined;
}

function refused(reason: ProxyHeaderRefusal): ProxyHeader {
  return { kind: 'refused', reason };
}
