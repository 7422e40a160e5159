import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/**
 * What is waited for comes within milliseconds, and tests take a few seconds; the rest is for a machine with much else
 * to do, where a thread takes seconds to start, or a disk is slow. Over these, something hangs.
 */
const patience = { testTimeout: 300_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } };

// `unit` runs sources beside their tests. All other projects drive the built programme from outside. Two files at a time
// keep two cores busy while one of them waits, which is much of what these tests do; five machines have them alone.
export default defineConfig({
  test: {
    // Said here, or vitest looks who runs it: whatever reads the log finds the same lines everywhere.
    reporters: ['default'],
    // PostgreSQL shuts down in the teardown.
    teardownTimeout: patience.hookTimeout,
    projects: [
      {
        test: {
          name: 'unit',
          // One a core: vitest leaves one to itself, which is half of two.
          maxWorkers: '100%',
          include: ['src/**/*.test.ts', 'test/{architecture,scenarios,soak,zone-files}/**/*.test.ts'],
          globalSetup: ['test/harness/postgres-setup.ts'],
          ...patience,
        },
      },
      fromOutside('service', { groupOrder: 1, maxWorkers: 2 }, 'sqlite', [
        'test/{contract,service}/**/*.test.ts',
        'test/kill/kill.test.ts',
      ]),
      fromOutside(
        'postgres',
        { groupOrder: 1, maxWorkers: 2 },
        'postgres',
        ['test/{contract,kill}/**/*.test.ts'],
        // How HTTP is spoken (rules 1 to 6), and files that only an embedded store has: PostgreSQL has no part in it.
        ['test/contract/{transport,slow-clients,start-and-stop}.test.ts'],
      ),
      fromOutside('cluster', { groupOrder: 2, maxWorkers: 1 }, 'postgres', ['test/cluster/**/*.test.ts']),
    ],
  },
});

function fromOutside(
  name: string,
  { groupOrder, maxWorkers }: { readonly groupOrder: number; readonly maxWorkers: number },
  engine: 'sqlite' | 'postgres',
  include: string[],
  exclude: string[] = [],
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include,
      exclude,
      provide: { engine },
      globalSetup: ['test/harness/global-setup.ts', 'test/harness/postgres-setup.ts'],
      ...patience,
      maxWorkers,
      sequence: { groupOrder },
    },
  };
}
