import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/**
 * Most tests take milliseconds, and none more than a few seconds on an idle machine. The limits leave room for a busy
 * one, where starting a thread takes seconds or the disk is slow. A test that exceeds them hangs.
 */
const patience = { testTimeout: 300_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } };

// `unit` runs the sources. All other projects test the built program from outside. They spend much time waiting, so that
// two files at a time keep two cores busy; `cluster` starts five machines and runs alone.
export default defineConfig({
  test: {
    // Otherwise vitest chooses by the environment, and programs that read the log find different lines.
    reporters: ['default'],
    // The teardown shuts PostgreSQL down.
    teardownTimeout: patience.hookTimeout,
    projects: [
      {
        test: {
          name: 'unit',
          // One per core: by default vitest leaves one core free, which is half of two.
          maxWorkers: '100%',
          include: [
            '{src,console/src}/**/*.test.ts',
            'test/{architecture,scenarios,soak,zone-files}/**/*.test.ts',
          ],
          globalSetup: ['test/harness/bundle-setup.ts', 'test/harness/postgres-setup.ts'],
          // Files share the modules that they import: loading them for each file again took a third of the time.
          isolate: false,
          ...patience,
        },
      },
      fromOutside('service', { groupOrder: 1, maxWorkers: 2 }, 'sqlite', [
        'test/{contract,service}/**/*.test.ts',
        'test/kill/{kill,kill-children,kill-large,kill-signing,http-suffers}.test.ts',
      ]),
      fromOutside(
        'postgres',
        { groupOrder: 1, maxWorkers: 2 },
        'postgres',
        ['test/{contract,kill}/**/*.test.ts'],
        // The HTTP protocol (rules 1 to 6) and the files of the embedded store do not depend on PostgreSQL.
        ['test/contract/{transport,slow-clients,start-and-stop}.test.ts'],
      ),
      // The console in a browser, on the built service.
      fromOutside('console', { groupOrder: 1, maxWorkers: 2 }, 'sqlite', ['test/console/**/*.test.ts']),
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
