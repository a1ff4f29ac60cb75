import { availableParallelism } from 'node:os'
import { defineConfig, mergeConfig } from 'vitest/config'
import { common } from './vitest.config.js'

/** The full suite: child processes, the built package, large worlds, many seeds, the examples. */
export default mergeConfig(
  common,
  defineConfig({
    test: {
      include: ['src/**/*.full.test.ts', 'test/**/*.full.test.ts'],
      execArgv: ['--max-semi-space-size=64'],
      globalSetup: ['test/support/build-package.ts'],
      // Most of their time, the tests wait for other processes.
      maxWorkers: Math.max(3, availableParallelism()),
      testTimeout: 180_000,
      hookTimeout: 180_000,
      // Other programs (browsers, stores, proxies) may fail on an overloaded machine; the report lists what was retried.
      retry: 'CI' in process.env ? 1 : 0,
    },
  }),
)
