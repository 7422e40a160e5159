// SOA serial arithmetic (RFC 1982) for 32 bits. Never reads a clock.

/** One step; after 2^32 - 1 comes 0, nothing is skipped. */
export function nextSerial(serial: number): number {
  return (serial + 1) >>> 0;
}

/** The later of two serials (RFC 1982 section 3.2); where the RFC leaves it open, the second. */
export function laterSerial(a: number, b: number): number {
  return ((a - b) | 0) > 0 ? a : b;
}

/** How many steps `serial` is ahead of `other`; negative when behind. */
export function serialLead(serial: number, other: number): number {
  return (serial - other) | 0;
}

/** Whether a serial comes after another: RFC 1982 section 3.2. */
export function isNewerSerial(serial: number, than: number): boolean {
  return serialLead(serial, than) > 0;
}
