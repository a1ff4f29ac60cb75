import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { thirdPartyNotices } from './third-party-notices.mjs'

const root = fileURLToPath(new URL('../src/inspector', import.meta.url))

/** Builds the inspector into a folder: the page of a running server, and the template of reports. */
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
  await writeReportPage(outDir)
}

/** Writes the page of reports: the same page with script and style in it, so that it is opened without a server. */
async function writeReportPage(folder) {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const script = (await readFile(join(folder, 'index.js'), 'utf8')).replaceAll('</script', '<\\/script')
  const style = await readFile(join(folder, 'index.css'), 'utf8')
  const inlined = page
    .replace(/<script type="module"[^>]*><\/script>/, '')
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
    .replace('</body>', () => `<script type="module">${script}</script></body>`)
  await writeFile(join(folder, 'report.html'), inlined)
}
