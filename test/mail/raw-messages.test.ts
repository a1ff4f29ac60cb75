import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openServer } from '../../src/doors/server/start-server.js'
import { openState } from '../../src/doors/state/logged-worlds.js'
import { folderOf } from '../support/temporary-folder.js'

/** A message that no composer would write: in ISO 8859-1, with a preamble, odd spaces, and line ends of both kinds. */
const written = (id: string): Buffer => {
  const lines = [
    `Message-Id: <${id}@old.example>`,
    'From:   Ann  <ann@mail.example>',
    'TO: support@agents.example',
    'subject: =?iso-8859-1?Q?Gr=FC=DFe?=\r',
    'X-Odd:\tone\n\ttwo   ',
    'MIME-Version: 1.0 (by hand)',
    'Content-Type: multipart/mixed;\n boundary="a b"',
    '',
    'A preamble.',
    '--a b  ',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: 8bit',
    '',
    'Gr\u00fc\u00dfe\u0080\u0000, trailing  ',
    '--a b',
    'Content-Disposition: attachment; filename=bytes.bin',
    'Content-Transfer-Encoding: base64',
    '',
    'AP8',
    '--a b--',
    'An epilogue.',
    '',
  ]
  return Buffer.from(lines.join('\n'), 'latin1')
}

it('keeps the bytes of a message by every door, and through snapshots, forks and restarts', async () => {
  const folder = await folderOf({
    'one.eml': written('thread'),
    'later.eml': written('timeline'),
    'box/a.eml': written('folder'),
    'old.mbox': Buffer.concat([
      Buffer.from('From ann Mon Jan  5 09:00:00 2026\n'),
      written('mbox'),
      Buffer.from('\n'),
    ]),
    'story.json': JSON.stringify({
      scenario: 'raw',
      extend: 'common',
      organization: { api_keys: ['raw-key'] },
      identities: [
        {
          handle: 'support',
          maildir: ['box', 'old.mbox'],
          threads: [
            { key: 'one', messages: [{ eml: 'one.eml' }] },
            { key: 'two', subject: 'Two', messages: [{ eml: 'one.eml', text: 'Other words.' }] },
          ],
        },
      ],
      timeline: [
        { after: '1s', receive: { to: 'support', eml: 'later.eml' } },
        { after: '2s', receive: { to: 'support', place: 1, again: true } },
      ],
    }),
  })
  const start = () => {
    const state = openState({ place: join(folder, 'state'), warn: () => undefined })
    return openServer({ scenario: join(folder, 'story.json'), port: 0, clock: 'frozen', state })
  }
  const server = await start()
  const { simulator, url } = server
  const headers = { authorization: 'Bearer raw-key' }
  await simulator.clock.advance('5s')
  const program = await simulator.mail.receive({ to: 'support', eml: written('program') })
  const changed = await simulator.mail.receive({ to: 'support', eml: written('changed'), text: 'Other' })
  const posted = await fetch(`${url}/_sim/messages?to=support`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822' },
    body: written('control') as Uint8Array<ArrayBuffer>,
  })
  expect(posted.status).toBe(201)

  const { messages } = await (
    await fetch(`${url}/api/v1/mail/messages?agent=support&limit=50`, { headers })
  ).json()
  const rawOf = async (id: string, path = '/api/v1/mail'): Promise<Buffer> => {
    const answer = await fetch(`${url}${path}/messages/${id}/raw`, { headers })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'message/rfc822'])
    return Buffer.from(await answer.arrayBuffer())
  }
  const raws = new Map<string, number>()
  const kept = new Map<string, string>()
  for (const { id } of messages) {
    const raw = await rawOf(id)
    expect(await rawOf(id, '/_sim')).toEqual(raw)
    const [, name = ''] = /<(\w+)@old\.example>/.exec(raw.toString('latin1')) ?? []
    if (!raw.equals(written(name))) continue
    raws.set(name, (raws.get(name) ?? 0) + 1)
    kept.set(id, name)
  }
  const names = ['control', 'folder', 'mbox', 'program', 'thread', 'timeline']
  // What the story changes is composed, and so are the words that a program states; what comes again is the same.
  expect([...raws].sort()).toEqual(names.map((name) => [name, name === 'timeline' ? 2 : 1]))
  expect(simulator.mailbox.source(changed.message.id)).toContain(btoa('Other'))

  const fork = simulator.fork()
  simulator.restore(JSON.parse(JSON.stringify(simulator.snapshot())))
  for (const [id, name] of kept) {
    expect(Buffer.from(simulator.mailbox.raw(id))).toEqual(written(name))
    // A fork is at the beginning of the story.
    if (['thread', 'folder', 'mbox'].includes(name))
      expect(Buffer.from(fork.mailbox.raw(id))).toEqual(written(name))
  }
  await server.close()
  const again = await start()
  onTestFinished(() => again.close())
  expect(Buffer.from(again.simulator.mailbox.raw(program.message.id))).toEqual(written('program'))
})
