import { defineConfig } from 'vitest/config'
import { built } from '../../cli/built-program.js'

/** Runs the story in tests of the built package. */
export default defineConfig({
  cacheDir: `${built.folder}/node_modules/.vite/composition`,
  resolve: {
    alias: { 'agent-mailbox-sim/vitest': `${built.folder}/dist/doors/interceptor/vitest.js` },
  },
  test: {
    include: ['story.case.ts'],
    testTimeout: 120_000,
    pool: 'threads',
    // Loaded as an installed package is, without a transformation.
    server: { deps: { external: [/\/dist\//] } },
  },
})
