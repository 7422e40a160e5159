/**
 * The address that a query came from: one object per thread, refilled by the sockets for every query. Sixteen octets;
 * IPv4 addresses are IPv4-mapped IPv6 addresses (RFC 4291 section 2.5.5.2). Allocates only when it is set from text.
 */

import { parseIpv4, parseIpv6 } from '../../dns/ip-address.ts';

/** Offset of the four octets of an IPv4 address. */
export const IPV4_AT = 12;

export class ClientAddress {
  readonly octets = new Uint8Array(16);
  /** The same octets as 32-bit words in host byte order. */
  readonly words = new Int32Array(this.octets.buffer);
  isIpv4 = false;

  setIpv4(source: Uint8Array, at: number): void {
    const { octets, words } = this;
    words[0] = 0;
    words[1] = 0;
    words[2] = MAPPED_WORD;
    for (let i = 0; i < 4; i++) octets[IPV4_AT + i] = source[at + i];
    this.isIpv4 = true;
  }

  /** Sets sixteen octets of an IPv6 address, which may be IPv4-mapped. */
  setIpv6(source: Uint8Array, at: number): void {
    const { octets, words } = this;
    for (let i = 0; i < 16; i++) octets[i] = source[at + i];
    this.isIpv4 = words[0] === 0 && words[1] === 0 && words[2] === MAPPED_WORD;
  }

  /** Sets an address in the text form of sockets, with or without an IPv6 interface; invalid text becomes `::`. */
  setText(text: string): void {
    const [address = ''] = text.split('%');
    const ipv4 = parseIpv4(address);
    if (ipv4.ok) return this.setIpv4(ipv4.value, 0);
    const ipv6 = parseIpv6(address);
    this.setIpv6(ipv6.ok ? ipv6.value : unspecified, 0);
  }

  /** True for 127.0.0.1 and ::1, which no packet from outside this machine can carry. */
  isThisMachine(): boolean {
    const { words } = this;
    if (this.isIpv4) return words[3] === LOOPBACK_WORD;
    return words[0] === 0 && words[1] === 0 && words[2] === 0 && words[3] === ONE_WORD;
  }
}

function wordOf(...octets: readonly number[]): number {
  return new Int32Array(Uint8Array.from(octets).buffer)[0];
}

const MAPPED_WORD = wordOf(0, 0, 0xff, 0xff);
const LOOPBACK_WORD = wordOf(127, 0, 0, 1);
const ONE_WORD = wordOf(0, 0, 0, 1);
const unspecified = new Uint8Array(16);
