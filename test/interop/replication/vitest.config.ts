import { defineConfig } from 'vitest/config';

// A part of `npm run test:interop`, apart from `npm test`: it needs PostgreSQL as Debian packages it.
export default defineConfig({
  test: {
    include: ['test/interop/replication/*.test.ts'],
    provide: { engine: 'postgres' },
    globalSetup: ['test/harness/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
