import { expect, it } from 'vitest'
import { FileError, type FolderEntry, type ScenarioFiles } from '../read/files.js'
import { readMailFolder } from './mail-files.js'

/** Files by their paths; those without content are unreadable. */
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
    if (content === undefined) throw new FileError('no-permission', path, 'cannot be read: permission denied')
    return new TextEncoder().encode(content)
  }
  const list = async (folder: string): Promise<FolderEntry[]> => {
    if (folder in files) throw new FileError('wrong-kind', folder, 'is a file, not a folder')
    return entriesOf(folder)
  }
  return { read, list, digests: new Map() }
}

async function readFrom(files: ScenarioFiles, limits?: Parameters<typeof readMailFolder>[3]) {
  const warnings: string[] = []
  const mails = await readMailFolder(files, 'mail', (warning) => void warnings.push(warning), limits)
  return { warnings, mails: mails.map(({ name, seen, mail }) => [name, seen, mail.text]) }
}

it('sorts mail by code units', async () => {
  const names = ['b.eml', 'a/z.eml', 'Z.eml', 'a.eml', 'e\u0301.eml']
  const { mails } = await readFrom(disk(Object.fromEntries(names.map((name) => [`mail/${name}`, '\nx']))))
  expect(mails.map(([name]) => name)).toEqual(['Z.eml', 'a.eml', 'a/z.eml', 'b.eml', 'é.eml'])
})

it('reads the flags of a Maildir in all forms', async () => {
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

it('refuses folders above the limits', async () => {
  const files = disk({
    'mail/a.eml': 'x'.repeat(700_000),
    'mail/b.eml': 'x'.repeat(700_000),
    'mail/c/d.eml': '',
  })
  const bytes = 1_400_000
  expect((await readFrom(files, { messages: 3, bytes })).mails).toHaveLength(3)
  await expect(readFrom(files, { messages: 2, bytes })).rejects.toThrow(
    '"mail" holds more than 2 messages, which is the limit',
  )
  await expect(readFrom(files, { messages: 3, bytes: bytes - 1 })).rejects.toThrow(
    '"mail" has 1.4 MiB; up to 1.4 MiB are read',
  )
})

it('refuses a folder with a file that cannot be read', async () => {
  const files = disk({ 'mail/a.eml': '', 'mail/b.eml': undefined, 'mail/c.eml': undefined })
  await expect(readFrom(files)).rejects.toThrow('"mail/b.eml" cannot be read: permission denied')
})

it('warns about files that are not messages', async () => {
  const { warnings, mails } = await readFrom(
    disk({
      'mail/a.eml': 'From: a@x.example\r\n\r\nMail',
      'mail/b.eml': '',
      'mail/c.eml': 'F\0r\0o\0m\0:\0 \0',
      'mail/d.eml': 'one message after the other\n',
      'mail/e.eml': 'From a@x Mon Jan  5\nX: 1\n\nOne\n\nFrom b@x Mon Jan  5\nX: 2\n\nTwo\n',
      'mail/g.eml': '{"from":"ann@x.example"}',
      'mail/h.eml': 'handle: support\ndisplay_name: Support\n',
      'mail/i.eml': '\0'.repeat(500),
      'mail/f.eml': '\ufeffReceived: by x\nSubject: x\n\nMail',
    }),
  )
  expect(mails).toHaveLength(9)
  expect(warnings).toEqual([
    '"mail/b.eml" is empty',
    '"mail/c.eml" looks like UTF-16, which mail never uses',
    '"mail/d.eml" does not begin with a header field, so it is read as text without a sender',
    '"mail/e.eml" is an mbox with several messages; use it as a `maildir` to load all of them',
    '"mail/g.eml" does not begin with a header field, so it is read as text without a sender',
    '"mail/h.eml" has none of the usual header fields, such as From, To, Date and Subject',
    '"mail/i.eml" contains almost nothing but NUL bytes, like a file that was damaged in transit',
  ])
})

it('splits an mbox', async () => {
  const mbox = [
    'From ann@x Mon Jan  5 09:00:00 2026\nMessage-ID: <1@x>\nStatus: RO\n\nOne\n>From here\n>>From there\nFrom not a start\n\n',
    'From bea@x Mon Jan  5 09:00:00 2026\r\nMessage-ID: <2@x>\r\n\r\nTwo\r\n\r\n',
    'From bea@x Mon Jan  5 09:00:00 2026\nMessage-ID: <2@x>\n\nThree',
  ]
  expect((await readFrom(disk({ mail: mbox.join('') }))).mails).toEqual([
    ['<1@x>', true, 'One\nFrom here\n>From there\nFrom not a start'],
    ['<2@x>', false, 'Two'],
    ['<2@x>#2', false, 'Three'],
  ])
  await expect(readFrom(disk({ mail: 'words' }))).rejects.toThrow(
    '"mail" is a file but not an mbox; expected a folder of .eml files, a Maildir or an mbox',
  )
})
