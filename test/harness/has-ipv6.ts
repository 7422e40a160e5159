import { networkInterfaces } from 'node:os';

/** Whether the machine has ::1: containers often lack it. */
export const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);
