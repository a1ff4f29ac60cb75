import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { helpSections } from '../src/contract/help.js'
import { projectFiles, root } from './support/documents.js'

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

  it.each(['README.md', 'CHANGELOG.md'])('%s: lead to files of the package', (document) => {
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
    const targets = linksIn(readFileSync(join(root, document), 'utf8'))
      .filter((link) => !/^(\w+:|#)/.test(link))
      .map((link) => relative(root, join(root, link.split('#')[0] as string)))
    const missing = targets.filter((target) => {
      const isShipped = (entry: string) => isIn(entry, target)
      const isLeftOut = files.some((entry) => entry.startsWith('!') && isShipped(entry.slice(1)))
      return !existsSync(join(root, target)) || isLeftOut || !files.some(isShipped)
    })
    expect(targets.length).toBeGreaterThan(0)
    expect(missing).toEqual([])
  })
})

/** Tells whether a path is an entry of `files`, or in one. */
function isIn(shipped: string, path: string): boolean {
  return path === shipped || path.startsWith(`${shipped}/`)
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
