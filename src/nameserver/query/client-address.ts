/**
 * The address that a query came from: one object a thread, filled anew by the sockets for every query. Sixteen octets,
 * IPv4 as IPv4-mapped IPv6 (RFC 4291 section 2.5.5.2). Allocates only when it is made from text.
 */

import { parseIpv4, parseIpv6 } from '../../dns/ip-address.ts';

/** Where the four octets of an IPv4 address stand. */
export const IPV4_AT = 12;

export class ClientAddress {
  readonly octets = new Uint8Array(16);
  /** The same as 32-bit words in the machine's own order. */
  readonly words = new Int32Array(this.octets.buffer);
  isIpv4 = false;

  /** Takes four octets of an IPv4 address. */
  setIpv4(source: Uint8Array, at: number): void {
    const { octets, words } = this;
    words[0] = 0;
    words[1] = 0;
    words[2] = MAPPED_WORD;
    for (let i = 0; i < 4; i++) octets[IPV4_AT + i] = source[at + i];
    this.isIpv4 = true;
  }

  /** Takes sixteen octets of an IPv6 address, which may be a mapped one. */
  setIpv6(source: Uint8Array, at: number): void {
    const { octets, words } = this;
    for (let i = 0; i < 16; i++) octets[i] = source[at + i];
    this.isIpv4 = words[0] === 0 && words[1] === 0 && words[2] === MAPPED_WORD;
  }

  /** Takes an address as sockets report it, IPv6 ones perhaps with their interface; what is none becomes `::`. */
  setText(text: string): void {
    const [address = ''] = text.split('%');
    const ipv4 = parseIpv4(address);
    if (ipv4.ok) return this.setIpv4(ipv4.value, 0);
    const ipv6 = parseIpv6(address);
    this.setIpv6(ipv6.ok ? ipv6.value : UNSPECIFIED, 0);
  }

  /** 127.0.0.1 or ::1, which no packet from outside this machine can carry. */
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
const UNSPECIFIED = new Uint8Array(16);
