import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config'

/** The settings of both suites. */
export const common = defineConfig({
  // The tests import this package by its name, as users do; `paths` in tsconfig.json leads to its source.
  resolve: { tsconfigPaths: true },
  test: {
    setupFiles: ['test/support/setup.ts'],
    pool: 'forks',
    maxWorkers: Math.max(2, availableParallelism() - 1),
    expect: { requireAssertions: true, poll: { timeout: 20_000, interval: 10 } },
    // Build machines are slow and shared; tests that hang still fail.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Output only matters if a test fails.
    silent: 'passed-only',
    // A third of the time of a run would go to the transformation of files that have not changed.
    experimental: { fsModuleCache: true },
    // In lines; also prevents a comparison of two large texts from taking minutes.
    diff: { truncateThreshold: 80 },
  },
})

/** The default suite: no build, no child processes. Its files share the workers' processes, which makes it fast. */
export default mergeConfig(
  common,
  defineConfig({
    test: {
      isolate: false,
      // Worlds are many short-lived objects; with a small young generation, a third of the time goes to collecting them.
      execArgv: ['--max-semi-space-size=64'],
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      exclude: [...configDefaults.exclude, '**/*.full.test.ts'],
    },
  }),
)
