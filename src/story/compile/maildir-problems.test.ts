import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSupport, mailText, type WrittenIdentity } from '../../../test/support/mail-on-disk.js'
import { folderOf, writeInto } from '../../../test/support/temporary-folder.js'
import { MailboxStore } from '../../service/model/mailbox-store.js'
import { loadScenario } from '../load.js'

describe('an unusable directory', () => {
  const refused = async (support: Partial<WrittenIdentity>): Promise<string[]> => {
    const error = await loadSupport(support).then(
      () => new Error('accepted'),
      (found: Error) => found,
    )
    const shown = error.message.replace(/\/\S*\/test-\w{6}/g, '~')
    return shown.split('\n').map((line) => line.replace('mail: identities[0].', ''))
  }

  it('is reported with its place and a remedy', async () => {
    const folder = await folderOf({ 'a.eml': mailText('a', '1'), 'notes/b.txt': 'no mail' })
    const maildir = ['gone', 'a.eml', 'notes'].map((name) => join(folder, name))
    const messages = [{ maildir: join(folder, 'lost') }]
    expect(await refused({ maildir, threads: [{ messages }] })).toEqual([
      'threads[0].messages[0].maildir: there is no folder "~/lost" in the folder the program runs in',
      'maildir[0]: there is no folder "~/gone" in the folder the program runs in',
      'maildir[1]: "~/a.eml" is a file but not an mbox; expected a folder of .eml files, a Maildir or an mbox',
      'maildir[2]: there is no mail in "~/notes"; expected .eml files, or a Maildir with cur and new',
    ])
    expect(await refused({ maildir: join(folder, 'gone') })).toEqual([
      'maildir: there is no folder "~/gone" in the folder the program runs in',
    ])
    const mixed = [{ maildir: folder, at: '-1d', key: 'x' }]
    expect(await refused({ threads: [{ messages: mixed }] })).toEqual([
      'threads[0].messages[0].key: "key" does not go with "maildir", which allows only direction',
      'threads[0].messages[0].at: "at" does not go with "maildir", which allows only direction',
    ])
  })

  it('is relative to the scenario file and reported with its line', async () => {
    const text =
      'scenario: desk\nidentities:\n  - handle: support\n    maildir:\n      - mail\n      - post\n'
    const folder = await folderOf({ 'desk.yaml': text, 'mail/a.eml': mailText('a', '1') })
    const file = join(folder, 'desk.yaml')
    await expect(loadScenario(file)).rejects.toThrow(
      `${file}:6:9: identities[0].maildir[1]: there is no folder "post" beside the scenario`,
    )
    await writeInto(folder, { 'post/b.eml': mailText('b', '2', 'In-Reply-To: <a@x>') })
    const store = new MailboxStore((await loadScenario(file)).base)
    expect([...store.all('thread')].map(({ message_count }) => message_count)).toEqual([2])
  })
})
