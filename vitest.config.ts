import { defineConfig } from 'vitest/config';

// `unit` runs sources beside their tests; `service` drives the built programme from outside, one file at a time.
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts', 'test/{architecture,scenarios}/**/*.test.ts'] } },
      {
        test: {
          name: 'service',
          include: ['test/{contract,service,kill}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
