import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { helpSections } from '../src/base/help.js'
import { projectFiles, root, textOf } from './support/documents.js'

const documents = projectFiles('md')

describe('links in documents', () => {
  it.each(documents)('%s: have targets', (document) => {
    const file = join(root, document)
    const broken = linksIn(readFileSync(file, 'utf8')).filter((link) => !leadsSomewhere(file, link))
    expect(broken).toEqual([])
  })

  it.each(documents)('%s: names existing files of the project', (document) => {
    const named = readFileSync(join(root, document), 'utf8').matchAll(/`([a-z-]+\/[\w./-]+\.ts)`/g)
    const missing = [...named]
      .map(([, path]) => path as string)
      .filter(
        (path) => !['', 'src', dirname(document)].some((folder) => existsSync(join(root, folder, path))),
      )
    expect(missing).toEqual([])
  })

  it.each(helpSections)('a message refers to docs/troubleshooting.md#%s, which exists', (section) => {
    expect(leadsSomewhere(join(root, 'README.md'), `docs/troubleshooting.md#${section}`)).toBe(true)
  })

  it('lead from files of the package to files of the package', () => {
    const shipped = [...documents, 'llms.txt'].filter(isShipped)
    const missing = shipped.flatMap((document) => {
      const local = linksIn(textOf(document)).filter((link) => !/^(\w+:|#)/.test(link))
      const targets = local.map((link) => join(dirname(document), link.split('#')[0] as string))
      // Pictures are in the repository only: they would be a quarter of the package.
      const wanted = targets.filter((target) => !target.startsWith('docs/pictures/'))
      return wanted.filter((target) => !isShipped(target)).map((target) => `${document}: ${target}`)
    })
    expect(missing).toEqual([])
    expect(shipped.length).toBeGreaterThan(30)
  })
})

const { files } = JSON.parse(textOf('package.json')) as { files: string[] }
const patterns = ['README.md', 'LICENSE', 'package.json', ...files]

/** Tells whether npm packs a file, or a folder: the last pattern that fits it decides. */
function isShipped(path: string): boolean {
  const last = patterns.findLast((pattern) => {
    const form = pattern
      .replace(/^!/, '')
      .replace(/[.]/g, '\\.')
      .replace(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(?:.*/)?'))
    return new RegExp(`^${form}(/|$)`).test(path.replace(/\/$/, ''))
  })
  return last !== undefined && !last.startsWith('!')
}

/** The targets of links and images outside code. */
function linksIn(text: string): string[] {
  const prose = text.replace(/^(```+).*?^\1/gms, '').replace(/`[^`\n]+`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string)
}

function leadsSomewhere(from: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return URL.canParse(link)
  const [path = '', fragment] = link.split('#')
  const target = path === '' ? from : join(dirname(from), path)
  if (!existsSync(target)) return false
  return fragment === undefined || anchorsIn(readFileSync(target, 'utf8')).has(fragment)
}

/** The fragments by which headings are linked, as GitHub makes them. */
function anchorsIn(text: string): Set<string> {
  const anchors = new Set([...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id]) => id as string))
  for (const [, heading = ''] of text.replace(/^(```+).*?^\1/gms, '').matchAll(/^#+ (.+)$/gm)) {
    const base = heading
      .replace(/\]\([^)]*\)/g, ']')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    let name = base
    for (let count = 1; anchors.has(name); count++) name = `${base}-${count}`
    anchors.add(name)
  }
  return anchors
}
