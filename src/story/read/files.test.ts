import { readFile, truncate } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { folderOf } from '../../../test/support/temporary-folder.js'
import { FileError, filesBeside, maxMailFileBytes, type ScenarioFiles } from './files.js'

/** The files beside a scenario in a folder; `noted` has the names that were looked up. */
const filesIn = (folder: string): { files: ScenarioFiles; noted: string[] } => {
  const noted: string[] = []
  const start = pathToFileURL(`${folder}/`).href
  const note = ({ href }: URL): void => void noted.push(decodeURIComponent(href.replace(start, '')))
  const files = filesBeside(new URL('inbox.yaml', start), note)
  return { files, noted }
}

const textOf = async (bytes: Promise<Uint8Array>): Promise<string> => new TextDecoder().decode(await bytes)

const refused = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.catch((thrown) => thrown)
  expect(error).toBeInstanceOf(FileError)
  return `${(error as FileError).code}: ${(error as FileError).message}`
}

it('reads files of any name beside the scenario and notes each', async () => {
  const names = ['a.txt', './b.txt', 'mail/report #1?.txt', '50%.txt', '../c.txt', 'ä b.txt']
  const folder = await folderOf(Object.fromEntries(names.map((name) => [`stories/${name}`, name])))
  const { files, noted } = filesIn(`${folder}/stories`)
  for (const name of names) expect(await textOf(files.read(name))).toBe(name)
  expect(await textOf(files.read(`${folder}/c.txt`))).toBe('../c.txt')
  expect(await textOf(files.read(pathToFileURL(`${folder}/stories/50%.txt`).href))).toBe('50%.txt')
  expect(noted.slice(0, 4)).toEqual(['a.txt', 'b.txt', 'mail/report #1?.txt', '50%.txt'])
})

it('prefers shipped files to files beside the scenario unless given a path', async () => {
  const folder = await folderOf({ 'orders.csv': 'own' })
  const { files, noted } = filesIn(folder)
  const shipped = await readFile(new URL('../../../fixtures/attachments/orders.csv', import.meta.url), 'utf8')
  expect(shipped).toContain(',')
  expect(await textOf(files.read('orders.csv'))).toBe(shipped)
  expect(noted).toEqual([])
  expect(await textOf(files.read('./orders.csv'))).toBe('own')
  expect(noted).toEqual(['orders.csv'])
})

it('reports the problem of a file', async () => {
  const folder = await folderOf({ 'mail/a.eml': '', 'large.pdf': '' })
  await truncate(`${folder}/large.pdf`, maxMailFileBytes + 1)
  const { files, noted } = filesIn(folder)
  const wrong = ['./b.eml', 'b.pdf', './mail', 'mail/a.eml/b', 'large.pdf', 'a\0b/c', 'file://%']
  const problems: string[] = []
  for (const name of wrong) problems.push(await refused(files.read(name)))
  expect(problems).toEqual([
    'missing: there is no file "./b.eml" beside the scenario',
    'missing: there is no file "b.pdf" beside the scenario or among the shipped ones',
    'wrong-kind: "./mail" is a folder, not a file',
    'missing: there is no file "mail/a.eml/b" beside the scenario',
    'too-large: "large.pdf" has 25.1 MiB; up to 25 MiB are read',
    'unreadable: "a\0b/c" cannot be read (ERR_INVALID_ARG_VALUE)',
    'missing: there is no file "file://%" beside the scenario',
  ])
  expect(noted).toContain('b.eml')
  await truncate(`${folder}/large.pdf`, maxMailFileBytes)
  expect(await files.read('large.pdf')).toHaveLength(maxMailFileBytes)
})

it('lists a folder sorted by name', async () => {
  const folder = await folderOf({
    'mail/b.eml': '',
    'mail/B.eml': '',
    'mail/a 1.eml': '',
    'mail/old/c.eml': '',
  })
  const { files, noted } = filesIn(folder)
  expect(await files.list('mail/')).toEqual([
    { name: 'B.eml', path: 'mail/B.eml', isFolder: false },
    { name: 'a 1.eml', path: 'mail/a 1.eml', isFolder: false },
    { name: 'b.eml', path: 'mail/b.eml', isFolder: false },
    { name: 'old', path: 'mail/old', isFolder: true },
  ])
  expect(noted).toEqual(['mail'])
  const [{ path } = { path: '' }] = await files.list(pathToFileURL(`${folder}/mail`).href)
  expect(await textOf(files.read(path))).toBe('')
})
