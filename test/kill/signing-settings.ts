/** Lets domains be signed on any store; without it, only the embedded store makes a secret of its own. */
export const signingSettings = { ZONEWRIGHT_DNSSEC_SECRET: 'only-for-tests-only-for-tests-1234' } as const;
