import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes the licences of all packages in a bundle to a file next to it, as these licences require.
 * @param {string} fileName
 * @param {string[]} [folders] of packages whose data is bundled without their modules
 * @returns {import('rolldown').Plugin}
 */
export function thirdPartyNotices(fileName, folders = []) {
  return {
    name: 'third-party-notices',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' ? Object.keys(file.modules) : [],
      )
      const bundled = new Set([...folders, ...modules.flatMap((module) => packageFolder(module) ?? [])])
      const notices = new Set([...bundled].map(noticeOf).toSorted())
      this.emitFile({ type: 'asset', fileName, source: [...notices].join(`\n${'-'.repeat(80)}\n\n`) })
    },
  }
}

/**
 * Returns the folder of the package that contains a module; undefined for this project's modules.
 * @param {string} module
 */
function packageFolder(module) {
  return /^\0?([^?]*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/.exec(module)?.[1]
}

/** @param {string} folder */
function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`
  return `${name} ${version}\n\n${text}\n`
}
