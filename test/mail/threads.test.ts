import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSimulator, type Simulator } from 'agent-mailbox-sim'
import { expect, it } from 'vitest'
import { startServer } from '../../src/doors/server/start-server.js'
import { parseEml } from '../../src/mail/parse-eml.js'
import { inDateOrder } from '../../src/mail/threading.js'
import { factsOf } from '../../src/story/compile/mail-files.js'
import { sharedFolder } from '../support/temporary-folder.js'
import { conversation, oneMailbox, shuffled, threadsOf } from './conversation.js'
import { drawFrom } from './mutation.js'

// MAIL_RUNS=500 npx vitest run test/mail/threads.test.ts looks longer
const runs = Number(process.env['MAIL_RUNS'] ?? 3)
const longest = 60_000 + runs * 1000

const folder = sharedFolder()

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

it(
  'are the same in a folder, in an mbox, and for every way of delivery in order of dates',
  async () => {
    const draw = drawFrom(11)
    for (let run = 0; run < runs; run += 1) {
      const mails = await inOrder(conversation(draw))
      const maildir = join(folder, String(run))
      mkdirSync(maildir)
      const fileOf = (mail: string) => join(maildir, `${mails.indexOf(mail)}.eml`)
      for (const mail of mails) writeFileSync(fileOf(mail), mail)
      const expected = threadsOf(await open({ maildir }))
      const shuffledMails = shuffled(mails, draw)
      writeFileSync(join(maildir, 'mbox'), mboxOf(shuffledMails))
      expect(threadsOf(await open({ maildir: join(maildir, 'mbox') })), `run ${run}, mbox`).toEqual(expected)
      const half = await received(mails.slice(0, mails.length / 2))
      const sim = await open({})
      sim.restore(half.snapshot())
      for (const eml of mails.slice(mails.length / 2)) await sim.mail.receive({ to: 'support', eml })
      expect(threadsOf(sim), `run ${run}, with a restart`).toEqual(expected)
      expect(threadsOf(await told(mails.map(fileOf))), `run ${run}, timeline`).toEqual(expected)
      if (run % 4 === 0) expect(await posted(mails), `run ${run}, HTTP`).toEqual(expected)
    }
  },
  longest,
)
