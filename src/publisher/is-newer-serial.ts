/** Whether a serial comes after another: RFC 1982 section 3.2. */
export function isNewerSerial(serial: number, than: number): boolean {
  return ((serial - than) | 0) > 0;
}
