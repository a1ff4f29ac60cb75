import { availableParallelism } from 'node:os'
import { defineConfig, mergeConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { common } from './vitest.config.js'

/** Starts the files that take longest first: the other workers would wait for them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longest = ['pace/agents', 'test/examples', 'check/bugs', 'replay/replay']
    const isLongest = ({ moduleId }: TestSpecification): boolean =>
      longest.some((name) => moduleId.endsWith(`/${name}.full.test.ts`))
    return (await super.sort(files)).toSorted((a, b) => Number(isLongest(b)) - Number(isLongest(a)))
  }
}

/** The full suite: child processes, the built package, large worlds, many seeds, the examples. */
export default mergeConfig(
  common,
  defineConfig({
    test: {
      include: ['src/**/*.full.test.ts', 'test/**/*.full.test.ts'],
      execArgv: ['--max-semi-space-size=64'],
      globalSetup: ['test/support/build-package.ts'],
      // A tenth of the time would go to starting workers and loading the same modules into each.
      isolate: false,
      // Most of their time, the tests wait for other processes.
      maxWorkers: availableParallelism() + 2,
      sequence: { sequencer: LongestFirst },
      testTimeout: 180_000,
      hookTimeout: 180_000,
      // Other programs (browsers, stores, proxies) may fail on an overloaded machine; the report lists what was retried.
      retry: 'CI' in process.env ? 1 : 0,
    },
  }),
)
