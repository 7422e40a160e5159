import { defineConfig } from 'vitest/config';

// `unit` runs sources beside their tests; `service` drives the built programme from outside, one file at a time, and
// after `unit`, so that its waits and time-outs mean something.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/{architecture,scenarios}/**/*.test.ts'],
          globalSetup: ['test/harness/postgres-setup.ts'],
        },
      },
      {
        test: {
          name: 'service',
          include: ['test/{contract,service,kill}/**/*.test.ts'],
          globalSetup: ['test/harness/global-setup.ts', 'test/harness/postgres-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
