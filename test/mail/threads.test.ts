import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import { expect, it } from 'vitest'
import { startServer } from '../../src/doors/server/start-server.js'
import { parseEml } from '../../src/mail/parse-eml.js'
import { inDateOrder } from '../../src/mail/threading.js'
import { factsOf } from '../../src/story/compile/mail-files.js'
import { sharedFolder } from '../support/temporary-folder.js'
import { conversation, oneMailbox, threadsOf } from './conversation.js'

const folder = sharedFolder()
const other = sharedFolder()

const open = (...options: Parameters<typeof oneMailbox>) =>
  createSimulator({ scenario: oneMailbox(...options) })

/** Returns mails in the order in which a folder is read. */
async function inOrder(mails: readonly string[]): Promise<string[]> {
  const parsed = await Promise.all(mails.map((mail) => parseEml(mail)))
  return inDateOrder(parsed.map(factsOf)).map((position) => mails[position] as string)
}

async function received(mails: readonly string[]): Promise<Simulator> {
  const sim = await open({})
  for (const eml of mails) await sim.mail.receive({ to: 'support', eml })
  return sim
}

/** Writes files with modification times a minute apart. */
async function told(files: readonly string[]): Promise<Simulator> {
  const timeline = files.map((eml, n) => ({ after: `${n + 1}m` as const, receive: { to: 'support', eml } }))
  const sim = await open({}, { timeline })
  await sim.clock.advance('2h')
  return sim
}

async function posted(mails: readonly string[]): Promise<string[]> {
  const server = await startServer({ scenario: oneMailbox({}), port: 0 })
  const headers = { 'content-type': 'message/rfc822' }
  try {
    for (const body of mails) {
      const { status } = await fetch(`${server.url}/_sim/messages?to=support`, {
        method: 'POST',
        headers,
        body,
      })
      expect(status).toBe(201)
    }
    return threadsOf(server.simulator)
  } finally {
    await server.close()
  }
}

function mboxOf(mails: readonly string[]): string {
  const lines = mails.map((mail) => `From a@x Mon Jan  5 09:00:00 2026\n${mail.replaceAll('\r\n', '\n')}\n\n`)
  return lines.join('')
}

it('are the same in a folder, in an mbox, and for every way of delivery in order of dates', async () => {
  const mails = await inOrder(conversation)
  const fileOf = (mail: string) => join(folder, `${mails.indexOf(mail)}.eml`)
  for (const mail of mails) writeFileSync(fileOf(mail), mail)
  const expected = threadsOf(await open({ maildir: folder }))
  expect(expected).toMatchInlineSnapshot(`
    [
      "AW: Lamp (1): Mail 6",
      "Chairs (2): Mail 13, Mail 5",
      "Chairs (3): Mail 1, Mail 10, Mail 4",
      "Itself (2): Mail 12, Mail 14",
      "Lamp (5): Mail 0, Mail 11, Mail 15, Mail 2, Mail 3",
      "Missing (4): Mail 16, Mail 7, Mail 8, Mail 9",
    ]
  `)
  const mbox = join(other, 'mbox')
  writeFileSync(mbox, mboxOf(mails.toReversed()))
  expect(threadsOf(await open({ maildir: mbox })), 'mbox').toEqual(expected)
  const maildir = join(other, 'some')
  mkdirSync(maildir)
  for (const [number, mail] of mails.slice(0, 4).entries())
    writeFileSync(join(maildir, `${number}.eml`), mail)
  const [restored, joined] = [await open({}), await open({ maildir })]
  restored.restore((await received(mails.slice(0, 4))).snapshot())
  for (const sim of [restored, joined]) {
    for (const eml of mails.slice(4)) await sim.mail.receive({ to: 'support', eml })
    expect(threadsOf(sim), sim === joined ? 'some in a folder' : 'with a restart').toEqual(expected)
  }
  expect(threadsOf(await told(mails.map(fileOf))), 'timeline').toEqual(expected)
  expect(await posted(mails), 'HTTP').toEqual(expected)
})
