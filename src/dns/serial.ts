// SOA serial arithmetic (RFC 1982) for 32 bits. Never reads a clock.

/** Adds one; 0 follows 2^32 - 1. */
export function nextSerial(serial: number): number {
  return (serial + 1) >>> 0;
}

/** The later of two serials (RFC 1982 section 3.2); the second if the RFC leaves the order undefined. */
export function laterSerial(a: number, b: number): number {
  return ((a - b) | 0) > 0 ? a : b;
}

/** Distance by which `serial` is ahead of `other`; negative if it is behind. */
export function serialLead(serial: number, other: number): number {
  return (serial - other) | 0;
}

/** Returns true if a serial is later than another (RFC 1982 section 3.2). */
export function isNewerSerial(serial: number, than: number): boolean {
  return serialLead(serial, than) > 0;
}
