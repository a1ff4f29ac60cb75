import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config'

/** Settings of both suites. */
export const common = defineConfig({
  // The tests import this package by its name, as users do; `paths` in tsconfig.json leads to its source.
  resolve: { tsconfigPaths: true },
  test: {
    setupFiles: ['test/support/setup.ts'],
    pool: 'forks',
    maxWorkers: Math.max(2, availableParallelism() - 1),
    expect: { requireAssertions: true, poll: { timeout: 20_000 } },
    // Build machines are slow and shared; tests that hang still fail.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is printed matters where a test fails.
    silent: 'passed-only',
    // Lines; also keeps comparing two large texts from taking minutes.
    diff: { truncateThreshold: 80 },
  },
})

const inSourceOrTest = (ending: string) => [`src/**/*${ending}`, `test/**/*${ending}`]

/**
 * The default suite: no build, no child processes. Its files share the processes of the workers, which is what makes it
 * fast; those that replace modules (`vi.mock`) are named `*.isolated.test.ts` and get processes of their own.
 */
export default mergeConfig(
  common,
  defineConfig({
    test: {
      projects: [
        {
          extends: true,
          test: {
            name: 'shared',
            isolate: false,
            include: inSourceOrTest('.test.ts'),
            exclude: [...configDefaults.exclude, '**/*.isolated.test.ts', '**/*.full.test.ts'],
          },
        },
        {
          extends: true,
          test: { name: 'isolated', include: inSourceOrTest('.isolated.test.ts') },
        },
      ],
    },
  }),
)
