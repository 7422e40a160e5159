import { defineConfig } from 'vitest/config';

// Part of `npm run test:interop` and not of `npm test`, because it needs Debian's PostgreSQL.
export default defineConfig({
  test: {
    include: ['test/interop/replication/*.test.ts'],
    provide: { engine: 'postgres' },
    globalSetup: ['test/harness/global-setup.ts'],
    reporters: ['default'],
    // As in `npm test`: long enough for a busy machine.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    fileParallelism: false,
  },
});
