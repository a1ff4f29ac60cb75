import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { replayAndKeep } from '../../src/runs/replay/replay.js'
import { useFolder } from '../cli/temporary-folder.js'
import { expectNoProcessLeft } from '../replay/no-process-left.js'

const { variables } = expectNoProcessLeft()

/** Answers every message, also those of programs. */
const loop = `
const { MAILBOX_BASE_URL: base, MAILBOX_API_KEY: key } = process.env
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
const ask = async (path, body) => {
  const options = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  return (await fetch(base + '/api/v1/mail/' + path, { headers, ...options })).json()
}
const done = new Set()
for (;;) {
  for (const { id } of (await ask('threads?agent=support')).threads) {
    const { messages } = await ask('messages?limit=100&thread_id=' + id)
    for (const one of messages.filter(({ direction, id }) => direction === 'inbound' && !done.has(id))) {
      done.add(one.id)
      await ask('messages/' + one.id + '/reply', { text: 'Thank you.' })
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 20_000))
}
`

it.each([
  ['at once', {}],
  ['a minute later', { after: '1m' as const }],
])('ends a conversation of two programs in which each answer is answered %s', async (_, when) => {
  const path = await useFolder()
  await writeFile(path('loop.mjs'), loop)
  const ann = 'ann@example.com'
  const away = { headers: { 'Auto-Submitted': 'auto-replied' }, text: 'I am away.' }
  const { report, server } = await replayAndKeep({
    scenario: {
      ...{ scenario: 'away', extend: 'common', identities: [{ handle: 'support' }] },
      timeline: [
        { after: '10s', receive: { to: 'support', from: ann, subject: 'Hours', text: 'When do you open?' } },
        {
          key: 'away',
          when: { sent: { to: ann }, ...when, every: true },
          receive: { in_reply_to: 'sent', ...away },
        },
      ],
      expect: [{ invariant: 'answers-no-automatic-mail' }],
    },
    command: [process.execPath, path('loop.mjs')],
    variables: variables(),
  })
  const sent = server.simulator.sent().length
  await server.close()
  expect(JSON.stringify(report)).toContain('a reply to automatic mail, Auto-Submitted: auto-replied')
  expect(report.hints.join()).toMatch(/"away" answered each other so often that the story ended/)
  expect(sent).toBeGreaterThan(29)
  expect(sent).toBeLessThan(60)
})
