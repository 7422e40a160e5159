import { rcode } from './codes.ts';

/** Returns a name such as `REFUSED`, or `RCODE 24` if the code has no name. */
export function formatRcode(code: number): string {
  return Object.entries(rcode).find(([, value]) => value === code)?.[0] ?? `RCODE ${code}`;
}
