import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { thirdPartyNotices } from './third-party-notices.mjs'

const root = fileURLToPath(new URL('../src/inspector', import.meta.url))

/** Builds the inspector into a folder: the page of a running server, which is also that of a report. */
export async function buildInspector(folder) {
  const outDir = resolve(folder, 'inspector')
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    base: './',
    // The same page under NODE_ENV=test, which the full suite builds with.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    plugins: [thirdPartyNotices('third-party-notices.txt')],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: false,
      cssCodeSplit: false,
      rollupOptions: {
        input: join(root, 'index.html'),
        output: { entryFileNames: 'index.js', assetFileNames: 'index[extname]', codeSplitting: false },
      },
    },
  })
}
