import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The name of the bill of materials beside a bundle, in the form of CycloneDX. */
export const billFile = 'bom.cdx.json'

/**
 * Writes the licences of all packages in a bundle to a file next to it, as these licences require, and which packages these
 * are to another, for the scanners of users.
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
      const bundled = [...new Set([...folders, ...modules.flatMap((module) => packageFolder(module) ?? [])])]
      const notices = new Set(bundled.map(noticeOf).toSorted())
      this.emitFile({ type: 'asset', fileName, source: [...notices].join(`\n${'-'.repeat(80)}\n\n`) })
      this.emitFile({ type: 'asset', fileName: billFile, source: billOf(bundled.map(componentOf)) })
    },
  }
}

/**
 * Returns a bill of materials with these components, each once. It has no date, so that equal bundles have equal bills.
 * @param {{ purl: string }[]} components
 * @see https://cyclonedx.org/docs/1.6/json/
 */
export function billOf(components) {
  const once = new Map(components.map((component) => [component.purl, component]))
  const sorted = [...once.keys()].toSorted().map((purl) => once.get(purl))
  const component = { ...componentOf('.'), 'bom-ref': 'package' }
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component },
    components: sorted,
  }
  return `${JSON.stringify(bill, undefined, 2)}\n`
}

/** @param {string} folder */
function componentOf(folder) {
  const { name, version, license } = manifestOf(folder)
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const licenses = typeof license === 'string' && {
    licenses: [/\s/.test(license) ? { expression: license } : { license: { id: license } }],
  }
  return { type: 'library', 'bom-ref': purl, name, version, purl, ...licenses }
}

/** @param {string} folder */
function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
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
  const { name, version, license } = manifestOf(folder)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`
  return `${name} ${version}\n\n${text}\n`
}
