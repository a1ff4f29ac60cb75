import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^agent-mailbox-sim$/, replacement: source('index.ts') },
      { find: /^agent-mailbox-sim\/node$/, replacement: source('interceptor/node.ts') },
      { find: /^agent-mailbox-sim\/server$/, replacement: source('server/index.ts') },
      { find: /^agent-mailbox-sim\/vitest$/, replacement: source('interceptor/vitest.ts') },
    ],
  },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/build-folder.ts'],
    setupFiles: ['test/property-seed.ts'],
    // Machines that build are slow and shared; what hangs is still found.
    testTimeout: 30_000,
  },
})
