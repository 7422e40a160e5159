import { defineConfig } from 'vitest/config';

// A part of `npm run test:interop`, apart from `npm test`: it needs PostgreSQL as Debian packages it.
export default defineConfig({
  test: {
    include: ['test/interop/replication/*.test.ts'],
    provide: { engine: 'postgres' },
    globalSetup: ['test/harness/global-setup.ts'],
    reporters: ['default'],
    // As in `npm test`: generous to a machine with much else to do.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    fileParallelism: false,
  },
});
