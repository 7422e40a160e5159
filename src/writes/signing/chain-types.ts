import { rrType } from '../../dns/codes.ts';

/** The type of the records that make the chain. */
export const chainTypes = { nsec: rrType.NSEC, nsec3: rrType.NSEC3 } as const;
