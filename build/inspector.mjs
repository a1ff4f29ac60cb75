import { readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { thirdPartyNotices } from './third-party-notices.mjs'

const root = fileURLToPath(new URL('../src/inspector', import.meta.url))

/** Builds the inspector into a folder: the page of a running server, and the template of reports. */
export async function buildInspector(folder) {
  const outDir = resolve(folder, 'inspector')
  await build({ ...settings(outDir, 'index.html'), base: './' })
  await build({ ...settings(outDir, 'report.html'), base: './' })
  await inlineReport(outDir)
}

function settings(outDir, page) {
  return {
    root,
    configFile: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [thirdPartyNotices('third-party-notices.txt')],
    build: {
      outDir,
      emptyOutDir: page === 'index.html',
      target: 'es2022',
      modulePreload: false,
      cssCodeSplit: false,
      rollupOptions: {
        input: join(root, page),
        output: {
          entryFileNames: `${page.replace('.html', '')}.js`,
          assetFileNames: `${page.replace('.html', '')}[extname]`,
          codeSplitting: false,
        },
      },
    },
  }
}

/** Inlines script and style into the report's page, which is one file that is opened without a server. */
async function inlineReport(folder) {
  const page = await readFile(join(folder, 'report.html'), 'utf8')
  const script = (await readFile(join(folder, 'report.js'), 'utf8')).replaceAll('</script', '<\\/script')
  const style = await readFile(join(folder, 'report.css'), 'utf8')
  const inlined = page
    .replace(/<script type="module"[^>]*><\/script>/, '')
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
    .replace('</body>', () => `<script type="module">${script}</script></body>`)
  await writeFile(join(folder, 'report.html'), inlined)
  for (const part of ['report.js', 'report.css']) await rm(join(folder, part))
}
