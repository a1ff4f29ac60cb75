import { expect, it } from 'vitest'
import type { Building } from '../building/building.js'
import { FileError } from '../source/file-error.js'
import type { FolderEntry, ScenarioFiles } from '../source/files.js'
import { readMailFolder } from './mail-folder.js'

/** Files by their paths, as a disk would have them; those without content cannot be read. */
function disk(files: Readonly<Record<string, string | undefined>>): ScenarioFiles {
  const entriesOf = (folder: string): FolderEntry[] => {
    const below = Object.keys(files).filter((path) => path.startsWith(`${folder}/`))
    const names = new Map(
      below
        .map((path) => path.slice(folder.length + 1).split('/'))
        .map(([name = '', ...rest]) => [name, rest.length > 0]),
    )
    return [...names].map(([name, isFolder]) => ({ name, isFolder, path: `${folder}/${name}` }))
  }
  const read = async (path: string): Promise<Uint8Array> => {
    const content = files[path]
    if (content === undefined)
      throw new FileError('no-permission', path, 'may not be read: permission denied')
    return new TextEncoder().encode(content)
  }
  return { read, readShipped: read, list: async (folder) => entriesOf(folder) }
}

async function readFrom(files: ScenarioFiles, limits?: Parameters<typeof readMailFolder>[3]) {
  const problems: string[] = []
  const building = { files, problem: (_, message) => problems.push(message) } as Pick<
    Building,
    'files' | 'problem'
  >
  const mails = await readMailFolder(building, 'mail', ['maildir'], limits)
  return { problems, mails: mails.map(({ name, seen, mail }) => [name, seen, mail.text]) }
}

it('reads mail in the order of code units, whatever the order on the disk', async () => {
  const { mails } = await readFrom(
    disk({
      'mail/b.eml': '\n1',
      'mail/a/z.eml': '\n2',
      'mail/Z.eml': '\n3',
      'mail/a.eml': '\n4',
      'mail/e\u0301.eml': '\n5',
    }),
  )
  expect(mails.map(([name]) => name)).toEqual(['Z.eml', 'a.eml', 'a/z.eml', 'b.eml', 'é.eml'])
})

it('reads the flags of a Maildir, in the forms that file systems allow', async () => {
  const { mails } = await readFrom(
    disk({
      'mail/cur/1:2,FS': '\n1',
      'mail/cur/2!2,S': '\n2',
      'mail/cur/3;2,R': '\n3',
      'mail/cur/4:1,S': '\n4',
      'mail/cur/6:2,S': '\n5',
      'mail/new/6': '\n6',
      'mail/new/5:2,S': '\n7',
      'mail/new/folder/x': '\n8',
      'mail/tmp/9': '\n9',
    }),
  )
  expect(mails).toEqual([
    ['1', true, '1'],
    ['2', true, '2'],
    ['3', false, '3'],
    ['4:1,S', false, '4'],
    ['5', false, '7'],
    ['6', true, '5'],
    ['6#2', false, '6'],
  ])
})

it('refuses more files, or more of them, than it may hold', async () => {
  const files = disk({
    'mail/a.eml': 'x'.repeat(700_000),
    'mail/b.eml': 'x'.repeat(700_000),
    'mail/c/d.eml': '',
  })
  expect((await readFrom(files, { files: 3, mebibytes: 2 })).mails).toHaveLength(3)
  const refused = { mails: [], problems: ['"mail" holds more than 2 mails; up to so many are read'] }
  expect(await readFrom(files, { files: 2, mebibytes: 2 })).toEqual(refused)
  const problems = ['"mail" holds more than 1 MiB of mail; up to so much is read']
  expect(await readFrom(files, { files: 3, mebibytes: 1 })).toEqual({ mails: [], problems })
  const many = disk(
    Object.fromEntries(Array.from({ length: 100_001 }, (_, index) => [`mail/${index}.eml`, ''])),
  )
  expect((await readFrom(many)).problems).toEqual([
    '"mail" holds more than 100000 mails; up to so many are read',
  ])
})

it('names the first files that cannot be read, and has no mail', async () => {
  const files = disk({
    'mail/a.eml': '',
    'mail/b.eml': undefined,
    'mail/c.eml': undefined,
    'mail/d.eml': undefined,
    'mail/e.eml': undefined,
  })
  expect(await readFrom(files)).toEqual({
    mails: [],
    problems: [
      '"mail/b.eml" may not be read: permission denied',
      '"mail/c.eml" may not be read: permission denied',
      '"mail/d.eml" may not be read: permission denied',
      '1 more of the files in "mail" cannot be used',
    ],
  })
})
