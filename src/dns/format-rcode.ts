import { rcode } from './codes.ts';

/** `REFUSED`, or `RCODE 23` where there is no name. */
export function formatRcode(code: number): string {
  return Object.entries(rcode).find(([, value]) => value === code)?.[0] ?? `RCODE ${code}`;
}
