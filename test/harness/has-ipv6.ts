import { networkInterfaces } from 'node:os';

/** True if the machine has ::1, which containers often lack. */
export const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);
